export interface LogEntry {
  commit: string;
  /** Git's own name: "commit", "commit (amend)", "checkout". */
  action: string;
  subject: string;
}

/** The subjects of the commits after `since`. Without `since`, the newest one, if Claude was asked to commit. */
export function newCommits(log: readonly LogEntry[], since: string | null, asked: boolean): string[] {
  const at = since === null ? -1 : log.findLastIndex(({ commit }) => commit === since);
  const fresh = at >= 0 ? log.slice(at + 1) : asked || since !== null ? log.slice(-1) : [];
  return fresh.filter(({ action }) => action.startsWith("commit")).map(({ subject }) => subject);
}

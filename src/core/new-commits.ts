export interface LogEntry {
  commit: string;
  /** As git names it: "commit", "commit (amend)", "checkout". */
  action: string;
  subject: string;
}

/** What was committed since a commit was last seen; without one, only what the newest entry says, when a commit was asked for. */
export function newCommits(log: readonly LogEntry[], since: string | null, asked: boolean): string[] {
  const at = since === null ? -1 : log.findLastIndex(({ commit }) => commit === since);
  const fresh = at >= 0 ? log.slice(at + 1) : asked || since !== null ? log.slice(-1) : [];
  return fresh.filter(({ action }) => action.startsWith("commit")).map(({ subject }) => subject);
}

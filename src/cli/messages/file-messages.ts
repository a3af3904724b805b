import type { FileRestoreResult } from "../../app/files/restore-files.ts";
import type { FileMark } from "../../core/files/file-mark.ts";
import { formatBytes, formatDuration, formatTime } from "../format.ts";
import { oneLine } from "../one-line.ts";

/** How a file mark is named: `f7 (before rm, 14:05)`. */
export function nameFileMark(mark: FileMark, now: number): string {
  return `f${mark.n} (${reasonOf(mark)}, ${formatTime(mark.time, now)})`;
}

/** Why a mark was taken. A late one may have missed the moment. */
export function reasonOf({ before, reason, late }: FileMark): string {
  return oneLine(`${before === null ? reason : `before ${before}`}${late ? ", late" : ""}`);
}

export function jsonOfFileMark({ n, time, reason, sessionId, mark, before, late, tree, left }: FileMark): object {
  return {
    name: `f${n}`,
    n,
    time: new Date(time).toISOString(),
    reason,
    session: sessionId,
    mark,
    before,
    late,
    tree,
    left,
  };
}

const verbs = { added: "write  ", changed: "change ", removed: "remove " } as const;

/** Every step of a restore of files, one per line. */
export function describeFilePlan({ to, changes, left }: FileRestoreResult, now: number): string[] {
  return [
    `mark    ${nameFileMark(to, now)}, ${formatDuration(now - to.time)} ago`,
    ...changes.map(({ path, kind }) => `${verbs[kind]} ${oneLine(path)}`),
    ...left.map(({ path, bytes, why }) => `not kept ${oneLine(path)}: ${why}, ${formatBytes(bytes)}`),
    ...(changes.length === 0 ? ["The files already have exactly this content; nothing would change."] : []),
  ];
}

export function countFiles({ changes }: Pick<FileRestoreResult, "changes">): string {
  const count = (kind: keyof typeof verbs): number => changes.filter((change) => change.kind === kind).length;
  const written = count("added") + count("changed");
  const removed = count("removed");
  return `${written} ${written === 1 ? "file" : "files"} written, ${removed} removed`;
}

export const jsonOfFileRestore = ({ workspace, to, from, changes, left, restored }: FileRestoreResult): object => ({
  files: true,
  workspace,
  to: jsonOfFileMark(to),
  replaced: jsonOfFileMark(from),
  changes: changes.map(({ path, kind }) => ({ path, change: kind })),
  left,
  restored,
});

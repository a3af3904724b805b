/** A file that a mark names but does not contain. */
export interface LeftOut {
  path: string;
  bytes: number;
  why: "large" | "unreadable";
}

/** A saved state of all files of a workspace. */
export interface FileMark {
  n: number;
  /** Milliseconds since 1970. */
  time: number;
  /** When another machine saved this state, by its clock; absent for a state of this machine. */
  takenAt?: number;
  /** The hook event, `before-restore` or `before-undo`. */
  reason: string;
  /** The session whose hook took it; null for a command of the user. */
  sessionId: string | null;
  /** The number of the transcript's mark that was taken together with it. */
  mark: number | null;
  /** Before a Bash command: the program that can destroy files. */
  before: string | null;
  /** Taken after the hook had let Claude continue: it may have missed the moment. */
  late: boolean;
  /** The git tree with the content. */
  tree: string;
  left: LeftOut[];
  /** The permission bits of files whose bits git does not keep, by path. */
  modes: Record<string, number>;
  /** The mask of the process that took it: all other files have the usual bits under this mask. */
  mask: number;
}

/** Puts files back; `undo` takes it back. */
export interface FileRestore {
  time: number;
  /** The marks before and after it. */
  from: number;
  to: number;
  /** Limited to these paths; empty: all. */
  paths: string[];
  /** `started`: it was interrupted, and some files are as before it. */
  state: "started" | "done" | "undone";
}

const maxMarks = 300;
const protectedNewest = 100;

/** The newest stay, and marks that a restore needs. Of the older ones, the mark with the smallest gap in time goes first. */
export function thinFileMarks(marks: readonly FileMark[], needed: ReadonlySet<number>): FileMark[] {
  const kept = [...marks];
  while (kept.length > maxMarks) {
    let best: { index: number; gap: number } | undefined;
    for (let index = 1; index < kept.length - protectedNewest; index++) {
      if (needed.has(kept[index]?.n ?? 0)) continue;
      const gap = (kept[index + 1]?.time ?? 0) - (kept[index - 1]?.time ?? 0);
      if (!best || gap < best.gap) best = { index, gap };
    }
    if (!best) break;
    kept.splice(best.index, 1);
  }
  return kept;
}

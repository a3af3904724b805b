import type { LeftOut } from "../../core/files/file-mark.ts";
import { type BytePath, isReadable, lookAt, textOfBytes } from "../../io/files/byte-path.ts";

export interface SortedOut {
  /** For the index: present files, and missing ones, which leave it. */
  wanted: BytePath[];
  /** Not for the index. */
  unwanted: BytePath[];
  left: LeftOut[];
  /** Of the wanted files. */
  bytes: number;
}

/** Git refuses such a name, wherever it stands. */
const reserved = /(?:^|\/)\.git(?:\/|$)/i;

/** Separates what a mark can hold from what it only names. One unreadable file must not prevent the mark of all others. */
export function sortOut(workTree: string, paths: readonly BytePath[], maxFileBytes: number): SortedOut {
  const sorted: SortedOut = { wanted: [], unwanted: [], left: [], bytes: 0 };
  for (const path of new Set(paths)) {
    if (reserved.test(path)) continue;
    const stats = lookAt(workTree, path);
    // A directory or a pipe in place of a file: the file is gone. Git would take a repository there for a submodule.
    if (stats && !stats.isFile() && !stats.isSymbolicLink()) {
      sorted.unwanted.push(path);
      continue;
    }
    const why =
      stats?.isFile() !== true
        ? undefined
        : stats.size > maxFileBytes
          ? "large"
          : isReadable(workTree, path)
            ? undefined
            : "unreadable";
    if (why === undefined) {
      sorted.wanted.push(path);
      sorted.bytes += stats?.size ?? 0;
    } else {
      sorted.unwanted.push(path);
      sorted.left.push({ path: textOfBytes(path), bytes: stats?.size ?? 0, why });
    }
  }
  return sorted;
}

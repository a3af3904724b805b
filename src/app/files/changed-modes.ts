import type { FileChange } from "../../core/files/file-change.ts";
import type { FileMark } from "../../core/files/file-mark.ts";
import type { Git } from "../../io/git/run-git.ts";
import { listEntries } from "../../store/trees/read-trees.ts";

/** Files with the same content in both marks, but with other permission bits. */
export async function findEntriesWithModes(
  git: Git,
  from: FileMark,
  to: FileMark,
  changes: readonly FileChange[],
): Promise<FileChange[]> {
  const changed = new Set(changes.map(({ path }) => path));
  const paths = [...new Set([...Object.keys(from.modes), ...Object.keys(to.modes)])].filter(
    (path) => from.modes[path] !== to.modes[path] && !changed.has(path),
  );
  if (paths.length === 0) return [];
  const entries = await listEntries(git, to.tree);
  return paths.flatMap((path) => {
    const entry = entries.get(path);
    return entry && entry.kind !== "link" ? [{ path, from: entry, to: entry }] : [];
  });
}

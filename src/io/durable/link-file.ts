import { closeSync, constants, fsyncSync, linkSync, lstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { attempt, codeOf } from "./durable-error.ts";
import { syncDirectoryLater } from "./sync-directory.ts";

/**
 * Gives a file a second name, so that its content stays when the first name is removed. The content is synced, because the
 * program that wrote it may not have done so. `impossible`: another disk, or a file system without hard links. The caller
 * syncs the directory.
 */
export function linkFile(from: string, to: string): "linked" | "existed" | "impossible" {
  return attempt("link", to, () => {
    const stats = lstatSync(from, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return "impossible";
    // Another user could change a file that is theirs.
    if (process.geteuid !== undefined && stats.uid !== process.geteuid()) return "impossible";
    try {
      linkSync(from, to);
    } catch (error) {
      const code = codeOf(error);
      if (code === "EEXIST") return "existed";
      if (["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "ENOENT", "EACCES"].includes(code)) {
        return "impossible";
      }
      throw error;
    }
    const descriptor = openSync(to, constants.O_RDONLY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return "linked";
  });
}

/**
 * Makes new names in a directory and its subdirectories durable, as far as those changed since then (milliseconds since 1970).
 * All at once: the file system then writes its journal once for all of them.
 */
export async function syncChangedDirectories(path: string, since: number): Promise<void> {
  const isChanged = (directory: string): boolean =>
    (lstatSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since;
  const inside = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(path, entry.name));
  await Promise.all([path, ...inside].filter(isChanged).map(syncDirectoryLater));
}

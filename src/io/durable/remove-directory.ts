import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, codeOf } from "./durable-error.ts";
import { syncDirectory } from "./sync-directory.ts";

/** Removes a directory and its empty subdirectories. Directories that hold a file or are in use stay. */
export function removeEmptyDirectories(path: string): void {
  attempt("remove directory", path, () => {
    try {
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        if (entry.isDirectory()) removeEmptyDirectories(join(path, entry.name));
      }
      rmdirSync(path);
      syncDirectory(dirname(path));
    } catch (error) {
      if (!["ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST", "EBUSY", "EPERM"].includes(codeOf(error))) throw error;
    }
  });
}

/** Removes a directory of ours with everything in it. After a power cut it may be back. */
export function discardDirectory(path: string): void {
  attempt("remove directory", path, () => rmSync(path, { recursive: true, force: true }));
}

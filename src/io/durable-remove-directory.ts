import { readdirSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, codeOf } from "./durable-error.ts";
import { syncDirectory } from "./sync-directory.ts";

/** Removes a directory and those in it as far as they are empty. What holds a file, or is in use, stays. */
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

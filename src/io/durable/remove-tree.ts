import { renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, codeOf } from "./durable-error.ts";
import { syncDirectory } from "./sync-directory.ts";

const prefix = ".removing-";

/** Whether a removal was interrupted here: its rest is no content. */
export const isBeingRemoved = (path: string): boolean => basename(path).startsWith(prefix);

/** Removes a directory with everything in it. A kill leaves it whole, or under a name that marks it as removed. */
export function removeTree(path: string): void {
  attempt("remove", path, () => {
    const going = isBeingRemoved(path) ? path : join(dirname(path), `${prefix}${basename(path)}`);
    if (going !== path) {
      // The rest of an earlier removal under that name.
      rmSync(going, { recursive: true, force: true });
      try {
        renameSync(path, going);
      } catch (error) {
        if (codeOf(error) === "ENOENT") return;
        throw error;
      }
      syncDirectory(dirname(path));
    }
    rmSync(going, { recursive: true, force: true });
    syncDirectory(dirname(path));
  });
}

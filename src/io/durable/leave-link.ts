import { lstatSync, readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "./durable-error.ts";
import { syncDirectory } from "./sync-directory.ts";

/** Makes a symbolic link to a directory, unless the name is taken. On Windows it is a junction, which needs no rights. */
export function leaveLink(path: string, target: string): void {
  attempt("link", path, () => {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) symlinkSync(target, path, "junction");
    // Also when the link is there: an earlier call may have died before this line.
    syncDirectory(dirname(path));
  });
}

/** Removes the link, and nothing else that may have its name. */
export function removeLink(path: string, target: string): void {
  attempt("remove", path, () => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() === true && readlinkSync(path).replace(/[\\/]$/, "") === target) unlinkSync(path);
    if (lstatSync(dirname(path), { throwIfNoEntry: false }) !== undefined) syncDirectory(dirname(path));
  });
}

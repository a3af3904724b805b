import { closeSync, constants, fchmodSync, fstatSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { attempt, codeOf, refusal } from "./durable-error.ts";
import { syncDirectory } from "./sync-directory.ts";

/**
 * Creates a directory with mode 0700, and its missing parents.
 * An existing one must be ours: not a symbolic link, not another user's. Its mode is corrected.
 * With `shared`, an existing one is not checked: for directories that other programs use too.
 */
export function makeDirectory(path: string, { shared = false }: { shared?: boolean } = {}): void {
  attempt("make directory", path, () => {
    const target = resolve(path);
    const stats = lstatSync(target, { throwIfNoEntry: false });
    if (stats === undefined) create(target);
    else if (shared && stats.isSymbolicLink()) return;
    else if (stats.isSymbolicLink()) throw refusal("symbolic-link", "it is a symbolic link");
    else if (!stats.isDirectory()) throw refusal("not-a-directory", "a file has that name");
    if (!shared) claim(target);
  });
}

function create(path: string): void {
  const parent = dirname(path);
  if (lstatSync(parent, { throwIfNoEntry: false }) === undefined && parent !== path) create(parent);
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    // Another process was faster; the result is checked next.
    if (codeOf(error) !== "EEXIST") throw error;
  }
  syncDirectory(parent);
}

// By descriptor, so that the checked directory is the one that is changed.
function claim(path: string): void {
  if (process.geteuid === undefined) return; // Windows: the access lists of the profile protect it.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const { uid, mode } = fstatSync(descriptor);
    if (uid !== process.geteuid()) throw refusal("foreign-owner", `it belongs to another user (${uid})`);
    if ((mode & 0o777) !== 0o700) fchmodSync(descriptor, 0o700);
  } finally {
    closeSync(descriptor);
  }
}

import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { absoluteBytes, type BytePath, textOfBytes } from "../files/byte-path.ts";
import { appendBytes } from "./append.ts";
import { attempt, codeOf, refusal } from "./durable-error.ts";
import { syncDirectory } from "./sync-directory.ts";

// Writes files of a project: their names are bytes, their directories have the usual mode, and nothing follows a symbolic link.
// As everywhere, a kill leaves the complete old or the complete new file.

/** Replaces or creates a file. A process that has the old one open keeps it. */
export function writeProjectFile(root: string, path: BytePath, content: Uint8Array, mode: number): void {
  attempt("write", textOfBytes(path), () =>
    publish(root, path, (temporary) => {
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
      const descriptor = openSync(temporary, flags, 0o600);
      try {
        appendBytes(descriptor, 0, { source: content, from: 0, to: content.length });
        fchmodSync(descriptor, mode);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    }),
  );
}

export function writeProjectLink(root: string, path: BytePath, target: Uint8Array): void {
  attempt("write", textOfBytes(path), () =>
    publish(root, path, (temporary) => symlinkSync(Buffer.from(target), temporary)),
  );
}

export function removeProjectFile(root: string, path: BytePath): void {
  attempt("remove", textOfBytes(path), () => {
    refuseLinkedParents(root, path);
    try {
      unlinkSync(absoluteBytes(root, path));
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
    syncParent(root, path);
  });
}

/** Removes an empty directory; returns false when it is not empty or not there. */
export function removeProjectDirectory(root: string, path: BytePath): boolean {
  return attempt("remove directory", textOfBytes(path), () => {
    refuseLinkedParents(root, path);
    try {
      rmdirSync(absoluteBytes(root, path));
    } catch (error) {
      if (["ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST", "EBUSY", "EPERM", "EACCES"].includes(codeOf(error)))
        return false;
      throw error;
    }
    syncParent(root, path);
    return true;
  });
}

export function setProjectMode(root: string, path: BytePath, mode: number): void {
  attempt("change", textOfBytes(path), () => {
    refuseLinkedParents(root, path);
    chmodSync(absoluteBytes(root, path), mode);
  });
}

/** Removes what a killed restore left in this directory ("" is the top). Only one restore works on a project at a time. */
export function sweepProjectDirectory(root: string, directory: BytePath): void {
  const inside = directory === "" ? "" : `${directory}/`;
  for (const name of namesIn(root, inside)) {
    if (temporaryName.test(name)) removeProjectFile(root, `${inside}${name}`);
  }
}

function namesIn(root: string, directory: BytePath): BytePath[] {
  try {
    return readdirSync(absoluteBytes(root, directory), { encoding: "buffer" }).map((name) => name.toString("latin1"));
  } catch {
    // It does not exist any more, or not yet.
    return [];
  }
}

const temporaryName = /^\.restore\.tmp-\d+-\d+$/;
let serial = 0;

function publish(root: string, path: BytePath, fill: (temporary: Buffer) => void): void {
  makeParents(root, path);
  const temporary = absoluteBytes(root, `${parentOf(path)}.restore.tmp-${process.pid}-${serial++}`);
  try {
    fill(temporary);
    renameSync(temporary, absoluteBytes(root, path));
  } catch (error) {
    try {
      unlinkSync(temporary);
    } catch {
      // The first error matters; the next restore removes the leftover.
    }
    throw error;
  }
  syncParent(root, path);
}

/** With a slash at its end, or empty at the top. */
const parentOf = (path: BytePath): BytePath => path.slice(0, path.lastIndexOf("/") + 1);

function directoriesOf(path: BytePath): BytePath[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

function makeParents(root: string, path: BytePath): void {
  for (const directory of directoriesOf(path)) {
    const place = absoluteBytes(root, directory);
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats && !stats.isDirectory()) throw refusal("not-a-directory", `${textOfBytes(directory)} is not a directory`);
    if (stats) continue;
    mkdirSync(place);
    syncParent(root, directory);
  }
}

/** A link in the way would lead out of the project. */
function refuseLinkedParents(root: string, path: BytePath): void {
  for (const directory of directoriesOf(path)) {
    if (lstatSync(absoluteBytes(root, directory), { throwIfNoEntry: false })?.isSymbolicLink())
      throw refusal("symbolic-link", `${textOfBytes(directory)} is a symbolic link`);
  }
}

function syncParent(root: string, path: BytePath): void {
  try {
    syncDirectory(absoluteBytes(root, parentOf(path)).toString());
  } catch (error) {
    // A name that is not valid UTF-8 cannot be given to syncDirectory; the content itself is synced.
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, codeOf, refusal } from "./durable-error.ts";

const NAME = /^\.(.*)\.tmp-\d+-\d+$/;
const maxAttempts = 100;
let serial = 0;

/**
 * A complete, synced file next to the target, ready to be renamed or linked to its name.
 * `fill` writes to the descriptor and returns the expected number of bytes.
 */
export function stageBeside(target: string, mode: number, fill: (descriptor: number) => number): string {
  const { path, descriptor } = temporaryBeside(target);
  try {
    try {
      keepOwner(descriptor, target);
      fchmodSync(descriptor, mode); // Exactly this mode, regardless of the umask.
      const size = fill(descriptor);
      const { size: actual } = fstatSync(descriptor);
      if (actual !== size) throw refusal("short-write", `the file has ${actual} bytes instead of ${size}`);
      // Before any rename: otherwise a power cut can leave the new name on an empty file.
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    discardTemporary(path);
    throw error;
  }
  return path;
}

/** As root: a file of another user that is replaced stays theirs. Otherwise Claude could not read its own settings afterwards. */
export function keepOwner(descriptor: number, target: string): void {
  if (process.geteuid?.() !== 0) return;
  const stats = lstatSync(target, { throwIfNoEntry: false });
  if (stats?.isFile() === true && stats.uid !== 0) fchownSync(descriptor, stats.uid, stats.gid);
}

/** Whether a killed writer may have left this file: it is not content. */
export const isTemporary = (path: string): boolean => NAME.test(basename(path));

/** Called while another error is thrown: that error matters, and a leftover file is swept later. */
export function discardTemporary(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // See above.
  }
}

/** Removes what killed writers left behind. `now` is in milliseconds since 1970; returns the number of removed files. */
export function sweepTemporaries(directory: string, olderThanMilliseconds: number, now: number): number {
  return attempt("sweep", directory, () => {
    let removed = 0;
    for (const name of listNames(directory)) {
      if (!NAME.test(name)) continue;
      const path = join(directory, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() !== true) continue;
      if (now - stats.mtimeMs <= olderThanMilliseconds && !isPublished(path, stats)) continue;
      try {
        unlinkSync(path);
        removed++;
      } catch (error) {
        // Another sweeper was faster, or (on Windows) its writer is still alive.
        if (!["ENOENT", "EBUSY", "EPERM"].includes(codeOf(error))) throw error;
      }
    }
    return removed;
  });
}

/**
 * Whether the target already is this file: its writer was killed between the link and the removal of this name. Later appends to the
 * target would make it look young for as long as the target is in use.
 */
function isPublished(path: string, { dev, ino }: Stats): boolean {
  const [, target = ""] = NAME.exec(basename(path)) ?? [];
  const stats = lstatSync(join(dirname(path), target), { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.dev === dev && stats.ino === ino;
}

/** An empty file next to the target, for writing. */
export function temporaryBeside(target: string): { path: string; descriptor: number } {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  // A name may have 255 bytes, including our suffix.
  const stem = `.${basename(target).slice(0, 50)}.tmp-${process.pid}`;
  for (let left = maxAttempts; ; left--) {
    const path = join(dirname(target), `${stem}-${serial++}`);
    try {
      return { path, descriptor: openSync(path, flags, 0o600) };
    } catch (error) {
      // Left by a killed process with our pid: keep it and use the next name.
      if (codeOf(error) !== "EEXIST" || left === 0) throw error;
    }
  }
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, codeOf, refusal } from "./durable-error.ts";

const NAME = /^\..*\.tmp-\d+-\d+$/;
const ATTEMPTS = 100;
let serial = 0;

/**
 * A complete, synced file beside the target, ready to be renamed or linked to its name.
 * `fill` writes into the descriptor and returns how many bytes there must be.
 */
export function stageBeside(target: string, mode: number, fill: (descriptor: number) => number): string {
  const { path, descriptor } = openBeside(target);
  try {
    try {
      fchmodSync(descriptor, mode); // Exactly, whatever the umask.
      const size = fill(descriptor);
      const { size: actual } = fstatSync(descriptor);
      if (actual !== size) throw refusal("short-write", `${actual} bytes arrived instead of ${size}`);
      // Before any rename: else a power cut can leave the new name on an empty file.
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

/** Used while another error is on its way: that one matters, and a leftover is swept later. */
export function discardTemporary(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // See above.
  }
}

/** Removes what killed writers left behind. `now` in milliseconds since 1970; returns how many were removed. */
export function sweepTemporaries(directory: string, olderThanMilliseconds: number, now: number): number {
  return attempt("sweep", directory, () => {
    let removed = 0;
    for (const name of listNames(directory)) {
      if (!NAME.test(name)) continue;
      const path = join(directory, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() !== true || now - stats.mtimeMs <= olderThanMilliseconds) continue;
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

function openBeside(target: string): { path: string; descriptor: number } {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  // A name of 255 bytes is allowed; with our suffix it must still be.
  const stem = `.${basename(target).slice(0, 50)}.tmp-${process.pid}`;
  for (let left = ATTEMPTS; ; left--) {
    const path = join(dirname(target), `${stem}-${serial++}`);
    try {
      return { path, descriptor: openSync(path, flags, 0o600) };
    } catch (error) {
      // Left by a killed process that had our pid: never touched, the next name will do.
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

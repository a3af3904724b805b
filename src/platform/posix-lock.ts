import { closeSync, fstatSync, statSync, unlinkSync } from "node:fs";
import type { FileLock } from "./platform.ts";

/** Each failed attempt means that another process discarded the file meanwhile, which does not happen this often. */
const maxAttempts = 100;

/** Turns "open this file and lock it" into a lock that stays correct when lock files are discarded. */
export function lockByFile(path: string, openLocked: (path: string) => number | undefined): FileLock | undefined {
  for (let round = 0; round < maxAttempts; round++) {
    const descriptor = openLocked(path);
    if (descriptor === undefined) return undefined;
    if (isStillAt(path, descriptor)) return holdLock(path, descriptor);
    closeSync(descriptor);
  }
  return undefined;
}

// Between our open and our lock the holder may have removed the file: then we hold an inode that
// no other process can find, and another process may hold the new file.
function isStillAt(path: string, descriptor: number): boolean {
  const named = statSync(path, { throwIfNoEntry: false, bigint: true });
  const held = fstatSync(descriptor, { bigint: true });
  return named !== undefined && named.ino === held.ino && named.dev === held.dev;
}

function holdLock(path: string, descriptor: number): FileLock {
  let held = true;
  const release = (): void => {
    // Close only once: the descriptor number may be reused for another file.
    if (!held) return;
    held = false;
    closeSync(descriptor);
  };
  const discard = (): void => {
    if (!held) return;
    try {
      unlinkSync(path);
    } finally {
      release();
    }
  };
  return { release, discard };
}

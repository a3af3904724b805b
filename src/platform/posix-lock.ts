import { closeSync, fstatSync, statSync, unlinkSync } from "node:fs";
import type { FileLock } from "./platform.ts";

/** Each round lost means that somebody discarded the file under us; nobody discards that often. */
const ROUNDS = 100;

/** Turns "open this file and lock it" into a lock that stays right when lock files are discarded. */
export function lockByFile(path: string, openLocked: (path: string) => number | "busy"): FileLock | "busy" {
  for (let round = 0; round < ROUNDS; round++) {
    const descriptor = openLocked(path);
    if (descriptor === "busy") return "busy";
    if (isStillAt(path, descriptor)) return holdLock(path, descriptor);
    closeSync(descriptor);
  }
  return "busy";
}

// Between our open and our lock the holder may have removed the file: then we hold an inode that
// nobody else will ever find, and somebody else may hold the new one.
function isStillAt(path: string, descriptor: number): boolean {
  const named = statSync(path, { throwIfNoEntry: false, bigint: true });
  const held = fstatSync(descriptor, { bigint: true });
  return named !== undefined && named.ino === held.ino && named.dev === held.dev;
}

function holdLock(path: string, descriptor: number): FileLock {
  let held = true;
  const release = (): void => {
    // The number may by now belong to another file: it is closed once.
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

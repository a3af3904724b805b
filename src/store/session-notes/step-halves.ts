import { createFile, DurableError, makeDirectory, moveFile } from "../../io/durable/durable.ts";
import { appendLine } from "../../io/durable/append-line.ts";
import { fileSize } from "../../io/files/read-file.ts";
import { tryLock } from "../lock.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";

/** Creates the file with its first line. */
export function beginSteps(paths: SnapshotPaths, sessionId: string, line: string): void {
  makeDirectory(paths.stepsDirectory);
  try {
    createFile(paths.steps(sessionId), `${line}\n`);
  } catch (error) {
    if (!(error instanceof DurableError) || error.code !== "EEXIST") throw error;
    // Another hook was faster.
    appendLine(paths.steps(sessionId), line);
  }
}

/**
 * A full file becomes the older half and replaces the previous one. Hooks append without a lock, because claude may be killed while
 * they wait for one. A hook that opened the file before the move still writes into a half that is read.
 */
export function startNextHalf(paths: SnapshotPaths, sessionId: string, maxBytes: number): void {
  makeDirectory(paths.locks);
  const lock = tryLock(paths.stepsLock(sessionId));
  if (!lock) return;
  try {
    // Checked again under the lock: a second move would discard what the first one moved.
    if ((fileSize(paths.steps(sessionId)) ?? 0) <= maxBytes) return;
    moveFile(paths.steps(sessionId), paths.olderSteps(sessionId), { overwrite: true });
  } finally {
    lock.release();
  }
}

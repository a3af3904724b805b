import { fileSize } from "../../io/files/read-file.ts";
import { tryLock } from "../../store/lock.ts";
import { type BackfillRecord, readBackfill } from "../../store/snapshots/backfill-record.ts";
import type { Environment } from "../environment.ts";

export interface BackfillState extends BackfillRecord {
  readonly isRunning: boolean;
}

/** The last backfill; undefined when there was none. */
export function readBackfillState({ paths }: Environment): BackfillState | undefined {
  const record = readBackfill(paths);
  return record && { ...record, isRunning: record.finishedAt === null && isLocked(paths.backfillLock) };
}

export const isInterrupted = ({ finishedAt, isRunning }: BackfillState): boolean => finishedAt === null && !isRunning;

function isLocked(path: string): boolean {
  if (fileSize(path) === undefined) return false;
  const lock = tryLock(path);
  lock?.release();
  return lock === undefined;
}

import { type Check, has, isAmount, isTime, orNull } from "../../core/check-record.ts";
import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { readText } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";

/** `backfill.json`: how far the backfill is. Only the backfill writes it; what is saved is known from the snapshots themselves. */
export interface BackfillRecord {
  version: 1;
  startedAt: number;
  /** Null while it runs, and after it was killed. */
  finishedAt: number | null;
  /** Sessions to save in this run, and how many of them are done. */
  sessions: number;
  done: number;
  bytes: number;
  doneBytes: number;
  /** Sessions that could not be saved. */
  failed: number;
  /** Sessions that were left out, because the disk cap or the disk allows no more. */
  left: number;
}

const isRecord = has({
  version: (value) => value === 1,
  startedAt: isTime,
  finishedAt: orNull(isTime),
  sessions: isAmount,
  done: isAmount,
  bytes: isAmount,
  doneBytes: isAmount,
  failed: isAmount,
  left: isAmount,
} satisfies Record<keyof BackfillRecord, Check>);

/** Undefined when there never was a backfill, or its record cannot be read. */
export function readBackfill(paths: SnapshotPaths): BackfillRecord | undefined {
  try {
    const value: unknown = JSON.parse(readText(paths.backfill) ?? "null");
    return isRecord(value) ? (value as BackfillRecord) : undefined;
  } catch {
    return undefined;
  }
}

export function writeBackfill(paths: SnapshotPaths, record: BackfillRecord): void {
  makeDirectory(paths.root, { shared: true });
  replaceFile(paths.backfill, JSON.stringify(record));
}

import { type Check, has, isAmount, isFlag, isText, isTexts, isTime, orNull } from "../core/check-record.ts";
import { makeDirectory, replaceFile } from "../io/durable.ts";
import { readText } from "../io/read-file.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";

/** What went because the snapshots used more disk than they may. */
export interface Dropped {
  time: number;
  sessionId: string;
  /** Null for the whole session. */
  generation: number | null;
  project: string;
  bytes: number;
  /** Claude had no transcript of it any more. */
  onlyCopy: boolean;
}

/** `maintenance.json`. Written by maintenance alone; read by the SessionEnd hook and by `status`. */
export interface MaintenanceRecord {
  version: 1;
  /** When the last run began. */
  lastRun: number;
  /** Bytes beyond the cap that could not be dropped: all in use. */
  over: number;
  /** The newest last, at most 100. */
  dropped: Dropped[];
  /** What could not be done in the last run, as sentences. */
  problems: string[];
}

const most = 100;

const isDropped = has({
  time: isTime,
  sessionId: isText,
  generation: orNull(isAmount),
  project: isText,
  bytes: isAmount,
  onlyCopy: isFlag,
} satisfies Record<keyof Dropped, Check>);

const isRecord = has({
  version: (value) => value === 1,
  lastRun: isTime,
  over: isAmount,
  dropped: (value) => Array.isArray(value) && value.every(isDropped),
  problems: isTexts,
} satisfies Record<keyof MaintenanceRecord, Check>);

/** One that cannot be read is as good as none: it costs a run that was not yet due, and past reports. */
export function readMaintenance(paths: SnapshotPaths): MaintenanceRecord {
  const none: MaintenanceRecord = { version: 1, lastRun: 0, over: 0, dropped: [], problems: [] };
  try {
    const value: unknown = JSON.parse(readText(paths.maintenance) ?? "null");
    return isRecord(value) ? (value as MaintenanceRecord) : none;
  } catch {
    return none;
  }
}

export function writeMaintenance(paths: SnapshotPaths, record: MaintenanceRecord): void {
  makeDirectory(paths.root, { shared: true });
  replaceFile(paths.maintenance, JSON.stringify({ ...record, dropped: record.dropped.slice(-most) }));
}

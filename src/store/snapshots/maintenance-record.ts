import { type Check, has, isAmount, isFlag, isText, isTexts, isTime, orNull } from "../../core/check-record.ts";
import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";
import { readOptionalRecord } from "../read-optional-record.ts";

/** In the place of a session's id: the file marks of a project. */
export const fileMarksOfProject = "file marks";

/** What was removed because the snapshots exceeded the disk cap. */
export interface Dropped {
  time: number;
  sessionId: string;
  /** Null for the whole session; of file marks, the newest one that went, and null for all of them. */
  generation: number | null;
  project: string;
  bytes: number;
  /** Claude no longer had a transcript of it. */
  onlyCopy: boolean;
}

/** `maintenance.json`. Only maintenance writes it; the SessionEnd hook and `status` read it. */
export interface MaintenanceRecord {
  version: 1;
  /** When the last run started. */
  lastRun: number;
  /** Bytes over the cap that could not be removed, because they are in use. */
  over: number;
  /** Newest last, at most 100. */
  dropped: Dropped[];
  /** What failed in the last run, in sentences. */
  problems: string[];
}

const maxEntries = 100;

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

/** An unreadable record counts as none: it costs one early run and the past reports. */
export function readMaintenance(paths: SnapshotPaths): MaintenanceRecord {
  const none: MaintenanceRecord = { version: 1, lastRun: 0, over: 0, dropped: [], problems: [] };
  return readOptionalRecord<MaintenanceRecord>(paths.maintenance, isRecord) ?? none;
}

export function writeMaintenance(paths: SnapshotPaths, record: MaintenanceRecord): void {
  makeDirectory(paths.root, { shared: true });
  replaceFile(paths.maintenance, JSON.stringify({ ...record, dropped: record.dropped.slice(-maxEntries) }));
}

import { has, isText, isTexts, isTime, orNull } from "../../core/check-record.ts";
import type { Arrival } from "../../core/restart/arrival.ts";
import { makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { readOptionalRecord } from "../read-optional-record.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";

export interface ArrivalNote extends Arrival {
  /** When Claude's last message began that came with it: a later one was written with this knowledge. */
  readonly answeredAt: number | null;
}

/** `arrived/{sessionId}.json`. An unreadable note counts as none. */
export const readArrivalNote = (paths: SnapshotPaths, sessionId: string): ArrivalNote | undefined =>
  readOptionalRecord<ArrivalNote>(paths.arrivalNote(sessionId), isNote);

export function writeArrivalNote(paths: SnapshotPaths, sessionId: string, note: ArrivalNote | undefined): void {
  const path = paths.arrivalNote(sessionId);
  if (!note) return void removeFile(path);
  makeDirectory(paths.arrivalNotesDirectory);
  replaceFile(path, JSON.stringify({ version: 1, ...note }));
}

const isNote = has({
  version: (value) => value === 1,
  from: orNull(isText),
  to: isText,
  filesAt: orNull(isTime),
  files: isTexts,
  commands: (value) => Array.isArray(value) && value.every(has({ command: isText, outcome: isText })),
  answeredAt: orNull(isTime),
} satisfies Record<keyof ArrivalNote | "version", (value: unknown) => boolean>);

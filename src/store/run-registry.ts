import { isRunRecord } from "../core/check-record.ts";
import { isRunId } from "../core/run-id.ts";
import { hasEnded, type RunRecord } from "../core/run-record.ts";
import { createFile, makeDirectory, moveFile, removeFile, replaceFile } from "../io/durable.ts";
import { fileFacts, listDirectory, readText } from "../io/read-file.ts";
import type { RunPaths } from "./run-paths.ts";

// Which runs there are. Only what stands here is ever resumed: a project's own `.ai-runtime` may be a stranger's.
// A record is written by the holder of the run's lock, and by nobody else.

export function registerRun(paths: RunPaths, record: RunRecord): void {
  makeDirectory(paths.active);
  createFile(paths.activeRun(record.plan.id), serialize(record));
}

/** An ended run leaves the active ones in one step; one that is resumed comes back in one. */
export function writeRun(paths: RunPaths, record: RunRecord): void {
  const { id } = record.plan;
  const [here, there] = hasEnded(record.status.phase)
    ? [paths.endedRun(id), paths.activeRun(id)]
    : [paths.activeRun(id), paths.endedRun(id)];
  // Found first where it was: a kill between the two leaves it there, whole, and told apart by its phase.
  if (fileFacts(there)) {
    replaceFile(there, serialize(record));
    makeDirectory(hasEnded(record.status.phase) ? paths.ended : paths.active);
    moveFile(there, here, { overwrite: true });
  } else replaceFile(here, serialize(record));
}

/** Undefined when there is no such run. Throws when its record cannot be read: unknown is not absent. */
export function readRun(paths: RunPaths, id: string): RunRecord | undefined {
  if (!isRunId(id)) return undefined;
  // The third look finds one that was taken up again between the first two.
  const text = readText(paths.activeRun(id)) ?? readText(paths.endedRun(id)) ?? readText(paths.activeRun(id));
  return text === undefined ? undefined : parseRun(text, id);
}

export const listActiveIds = (paths: RunPaths): string[] => idsIn(paths.active);
export const listEndedIds = (paths: RunPaths): string[] => idsIn(paths.ended);

/** Oldest first, since an id begins with its time. */
function idsIn(directory: string): string[] {
  return listDirectory(directory)
    .map((name) => name.replace(/\.json$/, ""))
    .filter(isRunId)
    .sort();
}

export function requestStop(paths: RunPaths, id: string, now: number): void {
  makeDirectory(`${paths.root}/runs/stop`);
  replaceFile(paths.stopRequest(id), `${JSON.stringify({ time: now })}\n`);
}

export const isStopRequested = (paths: RunPaths, id: string): boolean => fileFacts(paths.stopRequest(id)) !== undefined;

export function forgetStopRequest(paths: RunPaths, id: string): void {
  if (isStopRequested(paths, id)) removeFile(paths.stopRequest(id));
}

const serialize = (record: RunRecord): string => `${JSON.stringify(record)}\n`;

function parseRun(text: string, id: string): RunRecord {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    // Said below.
  }
  if (isRunRecord(record, id)) return record;
  throw Object.assign(new Error(`the record of run ${id} is damaged`), { code: "damaged" });
}

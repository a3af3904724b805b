import { isRunRecord } from "../../core/check-record.ts";
import { isRunId } from "../../core/run/run-id.ts";
import { hasEnded, type RunRecord } from "../../core/run/run-record.ts";
import { createFile, makeDirectory, moveFile, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { fileFacts, listDirectory, readText } from "../../io/files/read-file.ts";
import { isSameProcess } from "../../io/process/process.ts";
import type { RunPaths } from "./run-paths.ts";

// The list of all runs. Only runs in it are ever resumed: the `.ai-runtime` of a project may come from someone else.
// Only the holder of the run's lock writes its record.

export function registerRun(paths: RunPaths, record: RunRecord): void {
  makeDirectory(paths.active);
  createFile(paths.activeRun(record.plan.id), serialize(record));
}

/** An ended run leaves the active ones atomically, and returns atomically when it is resumed. */
export function writeRun(paths: RunPaths, record: RunRecord): void {
  const { id } = record.plan;
  const [here, there] = hasEnded(record.status.phase)
    ? [paths.endedRun(id), paths.activeRun(id)]
    : [paths.activeRun(id), paths.endedRun(id)];
  // Written at the old place first: after a kill between the two steps it is still there, complete, and its phase is right.
  if (fileFacts(there)) {
    replaceFile(there, serialize(record));
    makeDirectory(hasEnded(record.status.phase) ? paths.ended : paths.active);
    moveFile(there, here, { overwrite: true });
  } else replaceFile(here, serialize(record));
}

/** Removes a run that the user has seen the end of, and a request to stop it. */
export function removeRun(paths: RunPaths, id: string): void {
  for (const path of [paths.stopRequest(id), paths.activeRun(id), paths.endedRun(id)]) {
    if (fileFacts(path)) removeFile(path);
  }
}

/** Undefined when there is no such run. Throws when its record cannot be read: unknown does not mean absent. */
export function readRun(paths: RunPaths, id: string): RunRecord | undefined {
  if (!isRunId(id)) return undefined;
  // The third read finds a run that was resumed between the first two.
  const text = readText(paths.activeRun(id)) ?? readText(paths.endedRun(id)) ?? readText(paths.activeRun(id));
  return text === undefined ? undefined : parseRun(text, id);
}

export function readIfWhole(paths: RunPaths, id: string): RunRecord | undefined {
  try {
    return readRun(paths, id);
  } catch {
    return undefined;
  }
}

/** Whether its supervisor is running, identified by more than a pid. */
export const isHeld = ({ status }: RunRecord): boolean =>
  status.supervisor !== null &&
  !hasEnded(status.phase) &&
  status.phase !== "paused" &&
  isSameProcess(status.supervisor);

/** Whether its claude is running: it survives a supervisor that was killed. */
export const hasLiveChild = ({ status }: RunRecord): boolean =>
  status.child !== null && !hasEnded(status.phase) && isSameProcess(status.child);

export const listActiveIds = (paths: RunPaths): string[] => idsIn(paths.active);
export const listEndedIds = (paths: RunPaths): string[] => idsIn(paths.ended);

/** Oldest first, because an id starts with its time. */
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
    // Reported below.
  }
  if (isRunRecord(record, id)) return record;
  throw Object.assign(new Error(`the record of run ${id} is damaged`), { code: "damaged" });
}

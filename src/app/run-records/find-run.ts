import { Failure } from "../../core/failure.ts";
import { matchId } from "../../core/match-id.ts";
import { hasEnded, type RunRecord, wasShutDown } from "../../core/run/run-record.ts";
import { fileFacts, listDirectory } from "../../io/files/read-file.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { isHeld, listActiveIds, listEndedIds, readIfWhole, readRun } from "../../store/runs/run-registry.ts";
import { settledByJournal } from "./run-ledger.ts";

export { isHeld, readIfWhole } from "../../store/runs/run-registry.ts";

/** An id, or a beginning or end of one that fits no other. */
export function findRun(paths: RunPaths, given: string, project: string): RunRecord {
  const ids = [...listActiveIds(paths), ...listEndedIds(paths)];
  const match = matchId(ids, given, { kind: "runs", allowSuffix: true });
  if (match !== undefined) return readSettled(paths, match);
  if (unregisteredHere(paths, project).includes(given)) {
    throw new Failure("not-found", `run ${given} is not one of yours`, {
      hint: "It lies in this project's .ai-runtime but was not started here, so it is ignored.",
    });
  }
  throw new Failure("not-found", `there is no run "${given.slice(0, 60)}"`, {
    hint: ids.length > 0 ? "ai-runtime status lists them." : startFirstRun,
  });
}

export const startFirstRun = 'There are no runs yet. Start one with: ai-runtime run "<task>"';

/** The journal is written first, so it may know an end that the registry does not. */
export function readSettled(paths: RunPaths, id: string): RunRecord {
  const record = readRun(paths, id);
  if (!record) throw new Failure("not-found", `there is no run "${id}"`);
  return settle(record);
}

/** The registry of a held run is up to date, so followers need not read a long journal five times a second. */
const settle = (record: RunRecord): RunRecord => (isHeld(record) ? record : settledByJournal(record));

/** Unreadable records do not hide the others. */
export const listActive = (paths: RunPaths): readonly RunRecord[] => readActive(paths).records;

/** All active runs, and the ids of those whose record cannot be read. One that ends meanwhile is in neither list. */
export function readActive(paths: RunPaths): { readonly records: RunRecord[]; readonly unreadable: string[] } {
  const records: RunRecord[] = [];
  const unreadable: string[] = [];
  for (const id of listActiveIds(paths)) {
    const record = readIfWhole(paths, id);
    if (record) records.push(settle(record));
    else if (fileFacts(paths.activeRun(id)) !== undefined) unreadable.push(id);
  }
  return { records, unreadable };
}

/** Its supervisor died: the run neither ended nor paused, and no process runs it. */
export const hasDied = (record: RunRecord): boolean =>
  !hasEnded(record.status.phase) && !["paused", "queued"].includes(record.status.phase) && !isHeld(record);

/** No process runs it, and neither an end nor the user's own pause is the reason. */
export const isInterrupted = (record: RunRecord): boolean => hasDied(record) || wasShutDown(record);

/** Entries of a project's `.ai-runtime` that are not registered, as a cloned repository may contain. */
export function unregisteredHere(paths: RunPaths, project: string): string[] {
  const known = new Set([...listActiveIds(paths), ...listEndedIds(paths)]);
  return listDirectory(`${project}/.ai-runtime/sessions`).filter((name) => !known.has(name));
}

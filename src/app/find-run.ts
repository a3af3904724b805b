import { Failure } from "../core/failure.ts";
import { hasEnded, type RunRecord } from "../core/run-record.ts";
import { isSameProcess } from "../io/process.ts";
import { listDirectory } from "../io/read-file.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { listActiveIds, listEndedIds, readRun } from "../store/run-registry.ts";
import { settledByJournal } from "./run-ledger.ts";

/** An id, or a beginning or end of one that fits no other. */
export function findRun(paths: RunPaths, given: string, project: string): RunRecord {
  if (given === "") throw new Failure("usage", "the id of the run is empty");
  const ids = [...new Set([...listActiveIds(paths), ...listEndedIds(paths)])];
  const matches = ids.includes(given) ? [given] : ids.filter((id) => id.startsWith(given) || id.endsWith(given));
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return readSettled(paths, only);
  if (only !== undefined) {
    const some = matches.slice(-5).join(", ");
    throw new Failure("usage", `"${given}" fits ${matches.length} runs: ${some}`, { hint: "Give more of the id." });
  }
  const stray = unregisteredHere(paths, project).includes(given);
  throw new Failure(
    "not-found",
    stray ? `run ${given} is not one of yours` : `there is no run "${given.slice(0, 60)}"`,
    {
      hint: stray
        ? "It lies in this project's .ai-runtime but was not started here, so it is ignored."
        : "ai-runtime status lists them.",
    },
  );
}

/** The given one, else the newest of all that have not ended, else the newest of all. */
export function findNewestRun(paths: RunPaths, given: string | undefined, project: string): RunRecord {
  if (given !== undefined) return findRun(paths, given, project);
  const newest = listActiveIds(paths).at(-1) ?? listEndedIds(paths).at(-1);
  if (newest !== undefined) return readSettled(paths, newest);
  throw new Failure("not-found", "there are no runs yet", { hint: 'Start one with: ai-runtime run "<task>"' });
}

/** With what the journal knows better, if it died between the two. */
export function readSettled(paths: RunPaths, id: string): RunRecord {
  const record = readRun(paths, id);
  if (!record) throw new Failure("not-found", `there is no run "${id}"`);
  return settle(record);
}

/** While somebody holds it, the registry is right, or about to be: nobody reads a long journal five times a second. */
const settle = (record: RunRecord): RunRecord => (isHeld(record) ? record : settledByJournal(record));

/** Those that can be read: one that cannot must not hide the others. */
export function listActive(paths: RunPaths): RunRecord[] {
  return listActiveIds(paths).flatMap((id) => {
    const record = readIfWhole(paths, id);
    return record ? [settle(record)] : [];
  });
}

export function readIfWhole(paths: RunPaths, id: string): RunRecord | undefined {
  try {
    return readRun(paths, id);
  } catch {
    return undefined;
  }
}

/** Whether somebody answers for it now: by the process that took it up, not by a number alone. */
export const isHeld = ({ status }: RunRecord): boolean =>
  status.supervisor !== null &&
  !hasEnded(status.phase) &&
  status.phase !== "paused" &&
  isSameProcess(status.supervisor);

/** Its supervisor died with it: nobody wanted it to stop, and nobody goes on with it. */
export const hasDied = (record: RunRecord): boolean =>
  !hasEnded(record.status.phase) && record.status.phase !== "paused" && !isHeld(record);

/** What lies in a project's `.ai-runtime` and is not registered: a repository may bring it along. */
export function unregisteredHere(paths: RunPaths, project: string): string[] {
  const known = new Set([...listActiveIds(paths), ...listEndedIds(paths)]);
  return listDirectory(`${project}/.ai-runtime/sessions`).filter((name) => !known.has(name));
}

import { canContinue } from "../../core/run/orphaned-session.ts";
import { gaveUp, hasEnded, type RunRecord } from "../../core/run/run-record.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { isStopRequested, listEndedIds, writeRun } from "../../store/runs/run-registry.ts";
import { removeSessionRecord } from "../../store/runs/session-registry.ts";
import { tryLock } from "../../store/lock.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import type { Environment } from "../environment.ts";
import { readOrphanedSession } from "./read-orphaned-session.ts";
import { isInterrupted, readActive, readIfWhole, unregisteredHere } from "./find-run.ts";

export interface Recoverable {
  readonly runs: readonly RunRecord[];
  /** Entries of this project's `.ai-runtime` that this user did not start here. */
  readonly ignored: readonly string[];
  /** The ids of runs whose record cannot be read: whether they can be recovered is not known. */
  readonly unreadable: readonly string[];
}

/** The user has probably moved on from a run that gave up longer ago. */
const maxGaveUpAgeMs = 7 * 86_400_000;
/** Only so many of the newest ended runs are read. */
const maxEndedRuns = 50;

/**
 * The runs of all directories that died with the machine or their supervisor, or that gave up after trouble. Moves ended ones to
 * their place in the registry.
 */
export function findRecoverable(environment: Environment, paths: RunPaths): Recoverable {
  const { cwd: project, now } = environment;
  makeDirectory(paths.locks);
  const { records, unreadable } = readActive(paths);
  const died = records.filter((record) => {
    if (record.plan.kind === "service") return false;
    if (record.plan.cclaude) return canContinueOrphan(environment, paths, record);
    if (hasEnded(record.status.phase)) settle(paths, record);
    return isInterrupted(record);
  });
  const runs = [...listGaveUp(paths, now()), ...died].filter(
    (record) => !record.plan.isOfFleet && !isStopRequested(paths, record.plan.id) && isFree(paths, record),
  );
  return {
    runs: runs.sort((a, b) => (a.plan.id < b.plan.id ? -1 : 1)),
    ignored: unregisteredHere(paths, project),
    unreadable,
  };
}

const listGaveUp = (paths: RunPaths, now: number): RunRecord[] =>
  listEndedIds(paths)
    .slice(-maxEndedRuns)
    .flatMap((id) => readIfWhole(paths, id) ?? [])
    .filter((record) => record.plan.kind === "headless" && gaveUp(record))
    .filter(({ status }) => now - status.since < maxGaveUpAgeMs);

/** Also removes the record of a session that ended in an orderly way: its claude may have outlived cclaude until the user left. */
function canContinueOrphan(environment: Environment, paths: RunPaths, record: RunRecord): boolean {
  if (!isInterrupted(record)) return false;
  const { state } = readOrphanedSession(environment, paths, record);
  if (state === "over") removeSessionRecord(paths, record.plan.id);
  return canContinue(state);
}

/** A run has died only when its process is gone and its lock is free. */
function isFree(paths: RunPaths, { plan }: RunRecord): boolean {
  const lock = tryLock(paths.lock(plan.id));
  if (!lock) return false;
  lock.release();
  return true;
}

/** The supervisor died after it recorded the end in the journal and before it updated the registry. */
function settle(paths: RunPaths, record: RunRecord): void {
  const lock = tryLock(paths.lock(record.plan.id));
  if (!lock) return;
  try {
    writeRun(paths, record);
  } finally {
    lock.release();
  }
}

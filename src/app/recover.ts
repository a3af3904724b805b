import { hasEnded, type RunRecord, wasShutDown } from "../core/run-record.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { isStopRequested, writeRun } from "../store/run-registry.ts";
import { tryLock } from "../store/lock.ts";
import { makeDirectory } from "../io/durable.ts";
import { hasDied, listActive, unregisteredHere } from "./find-run.ts";

export interface Recoverable {
  readonly runs: readonly RunRecord[];
  /** In this project's `.ai-runtime`, and not started by this user here. */
  readonly ignored: readonly string[];
}

/** The runs that died, or were ended from outside, with the machine or with their supervisor, in whatever directory; what is over is put in its place. */
export function findRecoverable(paths: RunPaths, project: string): Recoverable {
  makeDirectory(paths.locks);
  const runs = listActive(paths).filter((record) => {
    if (record.plan.kind === "service") return false;
    if (hasEnded(record.status.phase)) settle(paths, record);
    const isOpen = hasDied(record) || wasShutDown(record);
    return isOpen && !isStopRequested(paths, record.plan.id) && isFree(paths, record);
  });
  return { runs, ignored: unregisteredHere(paths, project) };
}

/** The process is one witness, the lock the other: only a run that has neither has died. */
function isFree(paths: RunPaths, { plan }: RunRecord): boolean {
  const lock = tryLock(paths.lock(plan.id));
  if (lock === "busy") return false;
  lock.release();
  return true;
}

/** It died between its journal, which says that it ended, and the registry. */
function settle(paths: RunPaths, record: RunRecord): void {
  const lock = tryLock(paths.lock(record.plan.id));
  if (lock === "busy") return;
  try {
    writeRun(paths, record);
  } finally {
    lock.release();
  }
}

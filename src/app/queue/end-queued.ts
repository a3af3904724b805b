import { makeDirectory } from "../../io/durable/durable.ts";
import { tryLock } from "../../store/lock.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import type { Environment } from "../environment.ts";
import { notify } from "../notify/notify.ts";
import { logProblem } from "../program-log.ts";
import { readSettled } from "../run-records/find-run.ts";
import { RunLedger } from "../run-records/run-ledger.ts";

/** Why a queued run never starts: its deadline passed, the run that it follows was not done, or it could not be started. */
export type QueueFailure = "deadline" | "after" | "not-started";

/** Ends a run that is still queued. Leaves one alone that another process holds. */
export async function endQueued(
  environment: Environment,
  paths: RunPaths,
  id: string,
  cause: QueueFailure,
): Promise<void> {
  makeDirectory(paths.locks);
  const lock = tryLock(paths.lock(id));
  if (!lock) return;
  try {
    const record = readSettled(paths, id);
    const { plan, status } = record;
    if (status.phase !== "queued") return;
    const onTrouble = (message: string): void => logProblem(environment, `run ${id}: ${message}`);
    const ledger = new RunLedger(paths, record, environment.now, onTrouble);
    const state = { ...status, phase: "failed", cause, until: null } as const;
    ledger.transition({ kind: "stop" }, state, [{ kind: "finish", exit: "failed" }]);
    const facts = { source: "run", id, title: plan.task, directory: plan.cwd, until: null, need: null } as const;
    notify(environment, { ...facts, event: "failed", cause });
  } finally {
    lock.release();
  }
}

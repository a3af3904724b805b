import type { RunRecord } from "../../core/run/run-record.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { endProcess } from "../../io/process/end-process.ts";
import { type Lock, lockOrFail, lockWithin } from "../../store/lock.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";

/** Long enough for a supervisor that is ending, and for a short check by another command. */
const lockTimeoutMs = 2_000;
/** Time that claude gets to end before it is killed. */
export const claudeExitTimeoutMs = 10_000;

/** Takes the lock of a run. The kernel releases it when the process ends, however that happens. */
export async function holdRun(paths: RunPaths, { plan, status }: RunRecord): Promise<Lock> {
  makeDirectory(paths.locks);
  const by = status.supervisor ? ` by process ${status.supervisor.pid}` : "";
  return lockOrFail(
    await lockWithin(paths.lock(plan.id), lockTimeoutMs),
    `run ${plan.id} is being worked on${by}`,
    `Watch it with: ai-runtime attach ${plan.id}`,
  );
}

/**
 * Ends the claude of a supervisor that was killed. It may still run, and two claudes on one session would write two
 * branches. Its identity is certain, since we started it for this run.
 */
export async function endLeftChild({ status }: RunRecord): Promise<void> {
  if (status.child) await endProcess(status.child, claudeExitTimeoutMs);
}

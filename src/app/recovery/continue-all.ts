import { messageOf } from "../../core/message-of.ts";
import { Failure } from "../../core/failure.ts";
import { isSameMark, type RunRecord } from "../../core/run/run-record.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { isStopRequested } from "../../store/runs/run-registry.ts";
import type { Environment } from "../environment.ts";
import { restartHosted } from "../host/detachable.ts";
import { detachRun } from "../run/detach-run.ts";
import { adoptSession } from "../run-records/adopt-session.ts";
import { readIfWhole, readSettled } from "../run-records/find-run.ts";

/** Between two starts, so that many runs do not start at the same moment. */
const startIntervalMs = 2_000;

export interface ContinueSteps {
  /** The user did not ask for it. */
  readonly automatic?: boolean;
  /** Called before each start; an error ends the recovery. */
  readonly onStart?: (record: RunRecord) => void;
  readonly onContinued: (record: RunRecord) => void;
  readonly onFailed: (record: RunRecord, error: Error & { readonly hint?: string | undefined }) => void;
}

/**
 * Continues runs and sessions in the background, one after the other: the supervisor of a run waits for its turn, the host of a
 * session starts at its turn. One that cannot be continued does not stop the others.
 */
export async function continueAll(
  environment: Environment,
  paths: RunPaths,
  runs: readonly RunRecord[],
  { automatic = false, onStart, onContinued, onFailed }: ContinueSteps,
): Promise<void> {
  const begin = performance.now();
  let started = 0;
  for (const record of runs) {
    const delay = Math.max(0, begin + started * startIntervalMs - performance.now());
    onStart?.(record);
    try {
      await continueInBackground(environment, paths, record, { delay, automatic });
      started++;
    } catch (error) {
      onFailed(record, error instanceof Failure ? error : new Error(messageOf(error)));
      continue;
    }
    onContinued(record);
  }
}

async function continueInBackground(
  environment: Environment,
  paths: RunPaths,
  record: RunRecord,
  { delay, automatic }: { readonly delay: number; readonly automatic: boolean },
): Promise<void> {
  if (record.plan.kind !== "interactive") {
    refuseChanged(paths, record);
    const run = await adoptSession(environment, paths, record);
    await detachRun(environment, paths, run, { delay: Math.round(delay) });
    return;
  }
  await Bun.sleep(delay);
  refuseChanged(paths, record);
  await restartHosted(environment, await adoptSession(environment, paths, record), { automatic });
}

/** The user may have stopped or continued it while it waited for its turn. */
function refuseChanged(paths: RunPaths, { plan, status }: RunRecord): void {
  const current = readIfWhole(paths, plan.id) && readSettled(paths, plan.id);
  const isSame = current?.status.phase === status.phase && isSameMark(current.status.supervisor, status.supervisor);
  if (isSame && !isStopRequested(paths, plan.id)) return;
  throw new Failure("not-found", `${plan.id} was stopped or continued meanwhile`);
}

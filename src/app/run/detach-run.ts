import { Failure } from "../../core/failure.ts";
import { isSameMark, type RunRecord } from "../../core/run/run-record.ts";
import { startDetached } from "../../io/process/start-detached.ts";
import { RunFiles } from "../../store/runs/run-files.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import type { Environment } from "../environment.ts";
import { findRun, isHeld, readIfWhole } from "../run-records/find-run.ts";
import { logProblem } from "../program-log.ts";
import { ownExecutable } from "../own-executable.ts";
import { holdAndRun, makeRecords, refuseEnded } from "./resume-run.ts";
import type { RunEnded, RunView } from "./run-events.ts";
import { messageOf } from "../../core/message-of.ts";

/** A supervisor that has not registered by then has failed to start. */
const startTimeoutMs = 10_000;
const checkIntervalMs = 10;

/** A start by `recover`, which staggers its runs, or by the queue. `delay`: milliseconds from now. */
export interface Recovered {
  readonly delay: number;
  /** It starts only while it is queued, so that it never starts twice. */
  readonly isQueued?: boolean;
}

/** Starts a supervisor that outlives us, and returns its pid once it holds the run. */
export async function detachRun(
  environment: Environment,
  paths: RunPaths,
  record: RunRecord,
  recovered?: Recovered,
): Promise<number> {
  const { id } = record.plan;
  refuseEnded(paths, record);
  refuseHeld(record);
  makeRecords(environment, record);
  const how = recovered?.isQueued ? "queued" : recovered ? String(recovered.delay) : "asked";
  startDetached([ownExecutable(), "supervise", id, how], environment.variables, record.plan.cwd);
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    // Read from the registry, where every other command also sees that the run is held.
    const now = readIfWhole(paths, id)?.status.supervisor;
    if (now && !isSameMark(now, record.status.supervisor)) return now.pid;
    if (performance.now() > deadline) {
      throw new Failure("failed", `run ${id} did not start in the background`, {
        hint: `Everything is saved. Resume with: ai-runtime resume ${id}`,
      });
    }
    await Bun.sleep(checkIntervalMs);
  }
}

function refuseHeld(record: RunRecord): void {
  const { plan, status } = record;
  if (!isHeld(record) || status.supervisor?.pid === process.pid) return;
  throw new Failure("locked", `run ${plan.id} is being worked on by process ${status.supervisor?.pid}`, {
    hint: `Watch it with: ai-runtime attach ${plan.id}`,
  });
}

/** The body of the detached process. It has no terminal, so failures go to the log of the run or to ours. */
export async function superviseDetached(
  environment: Environment,
  paths: RunPaths,
  id: string,
  { view, recovered }: { readonly view: (record: RunRecord) => RunView; readonly recovered: Recovered | undefined },
): Promise<RunEnded | undefined> {
  try {
    const found = findRun(paths, id, environment.cwd);
    const files = new RunFiles(found.plan.directory);
    const viewOfHeld = (record: RunRecord): RunView => {
      files.writePid(process.pid);
      return view(record);
    };
    const isStarted = recovered?.isQueued === true && found.status.phase !== "queued";
    if (isStarted) return undefined;
    const how = {
      automatic: recovered !== undefined,
      detached: true,
      delay: recovered?.delay ?? 0,
      onlyQueued: recovered?.isQueued === true,
    };
    const ended = await holdAndRun(environment, paths, found, { view: viewOfHeld, ...how });
    files.removePid();
    return ended;
  } catch (error) {
    logProblem(environment, `run ${id}: ${messageOf(error)}`);
    return undefined;
  }
}

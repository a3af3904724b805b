import { Failure } from "../core/failure.ts";
import type { ProcessMark, RunRecord } from "../core/run-record.ts";
import { startDetached } from "../io/start-detached.ts";
import { RunFiles } from "../store/run-files.ts";
import type { RunPaths } from "../store/run-paths.ts";
import type { Environment } from "./environment.ts";
import { findRun, isHeld, readIfWhole } from "./find-run.ts";
import { logProblem } from "./hook-log.ts";
import { ownExecutable } from "./own-executable.ts";
import { holdAndRun, makeRecords, refuseEnded } from "./resume-run.ts";
import type { RunEnded, RunView } from "./run-view.ts";

/** A start takes a fraction of it; what is not there by then has failed. */
const patience = 10_000;
const look = 10;

/** Nobody asked for this start just now, and with others it does not start at once: in milliseconds from now. */
export interface Recovered {
  readonly delay: number;
}

/** Starts a supervisor that outlives us, and returns when it has taken the run up. */
export async function detachRun(
  environment: Environment,
  paths: RunPaths,
  record: RunRecord,
  recovered?: Recovered,
): Promise<number> {
  const { id } = record.plan;
  refuseEnded(paths, record);
  refuseHeld(record);
  makeRecords(record);
  const how = recovered ? String(recovered.delay) : "asked";
  startDetached([ownExecutable(), "supervise", id, how], environment.variables, record.plan.cwd);
  const deadline = performance.now() + patience;
  for (;;) {
    // By the registry: whoever looks at the run from now on sees that it is held.
    const now = readIfWhole(paths, id)?.status.supervisor;
    if (now && !isSameMark(now, record.status.supervisor)) return now.pid;
    if (performance.now() > deadline) {
      throw new Failure("failed", `run ${id} was not taken up in the background`, {
        hint: `Nothing is lost: ai-runtime resume ${id}`,
      });
    }
    await Bun.sleep(look);
  }
}

function refuseHeld(record: RunRecord): void {
  const { plan, status } = record;
  if (!isHeld(record) || status.supervisor?.pid === process.pid) return;
  throw new Failure("locked", `run ${plan.id} is being worked on by process ${status.supervisor?.pid}`, {
    hint: `Watch it with: ai-runtime attach ${plan.id}`,
  });
}

const isSameMark = (one: ProcessMark, other: ProcessMark | null): boolean =>
  one.pid === other?.pid && one.startTime === other.startTime && one.bootId === other.bootId;

/** What the started process does. Nobody sees it: what goes wrong is in the log of the run, or in ours. */
export async function superviseDetached(
  environment: Environment,
  paths: RunPaths,
  id: string,
  { view, recovered }: { readonly view: (record: RunRecord) => RunView; readonly recovered: Recovered | undefined },
): Promise<RunEnded | undefined> {
  try {
    const found = findRun(paths, id, environment.cwd);
    const files = new RunFiles(found.plan.directory);
    const taken = (record: RunRecord): RunView => {
      files.writePid(process.pid);
      return view(record);
    };
    const how = { automatic: recovered !== undefined, detached: true, delay: recovered?.delay ?? 0 };
    const ended = await holdAndRun(environment, paths, found, { view: taken, ...how });
    files.removePid();
    return ended;
  } catch (error) {
    logProblem(environment, `run ${id}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

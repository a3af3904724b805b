import { Failure } from "../../core/failure.ts";
import { fleetContinues } from "../../core/run/fleet-continues.ts";
import { hasEnded, isFinal, type RunRecord } from "../../core/run/run-record.ts";
import { sweepTemporaries } from "../../io/durable/durable.ts";
import { RunFiles } from "../../store/runs/run-files.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { listEndedIds, writeRun } from "../../store/runs/run-registry.ts";
import type { Environment } from "../environment.ts";
import { findRun, hasDied, listActive, readIfWhole } from "../run-records/find-run.ts";
import { endLeftChild, holdRun } from "../run-records/hold-run.ts";
import { adviseMoved } from "../run-records/moved-run.ts";
import { hasHub } from "../hub/has-hub.ts";
import { bestEffort } from "../best-effort.ts";
import { superviseRun } from "./run-supervisor.ts";
import type { RunEnded, RunView } from "./run-events.ts";
import { environmentOfRun } from "../run-records/register-run.ts";
import { messageOf } from "../../core/message-of.ts";

const dayMs = 86_400_000;

export interface HowToRun {
  readonly view: (record: RunRecord) => RunView;
  readonly automatic: boolean;
  readonly detached: boolean;
  /** Milliseconds until it begins: runs that are recovered together start one after the other. */
  readonly delay?: number;
  /** It starts only while it is queued. */
  readonly onlyQueued?: boolean;
}

/** Holds a run and supervises it until it ends or pauses. */
export async function holdAndRun(
  environment: Environment,
  paths: RunPaths,
  found: RunRecord,
  { view, automatic, detached, delay = 0, onlyQueued = false }: HowToRun,
): Promise<RunEnded> {
  await claimWithHub(environment, paths, found);
  const lock = await holdRun(paths, found);
  let over = false;
  try {
    // Another process may have ended the run before we got the lock.
    const record = findRun(paths, found.plan.id, found.plan.cwd);
    refuseEnded(paths, record);
    if (onlyQueued && record.status.phase !== "queued") {
      throw new Failure("locked", `run ${record.plan.id} has already started`);
    }
    makeRecords(environment, record);
    bestEffort(environment, () => sweepLeftovers(paths, record, environment.now()), undefined);
    await endLeftChild(record);
    const world = environmentOfRun(environment, record);
    const ended = await superviseRun({
      environment: world,
      paths,
      record,
      view: view(record),
      automatic,
      detached,
      delay,
    });
    over = hasEnded(ended.phase);
    return ended;
  } finally {
    // Lock files of ended runs must not pile up.
    if (over) lock.discard();
    else lock.release();
  }
}

/** A new run is known to no other machine. Without a hub, nothing of the hub is loaded. */
async function claimWithHub(environment: Environment, paths: RunPaths, { plan, status }: RunRecord): Promise<void> {
  if (status.attempts === 0 || !hasHub(environment.variables)) return;
  await (await import("../hub/fetch/hub-runs.ts")).claimRun(environment, paths, plan.id);
}

/** Removes temporary files of a killed supervisor; in the registry only old ones, since other runs write there. */
function sweepLeftovers(paths: RunPaths, { plan }: RunRecord, now: number): void {
  sweepTemporaries(plan.directory, 0, now);
  for (const shared of [paths.root, paths.active, paths.ended]) sweepTemporaries(shared, dayMs, now);
}

/** The given run, else the newest interrupted one, preferably of this directory. */
export function chooseRunToResume(paths: RunPaths, given: string | undefined, project: string): RunRecord {
  if (given !== undefined) {
    const found = findRun(paths, given, project);
    if (found.plan.isOfFleet) throw fleetContinues(found.plan.id);
    return found;
  }
  const open = listActive(paths).filter((record) => record.status.phase === "paused" || hasDied(record));
  const failed = listEndedIds(paths)
    .slice(-50)
    .flatMap((id) => readIfWhole(paths, id) ?? []);
  const all = [...failed.filter(({ status }) => status.phase === "failed"), ...open];
  const headless = all
    .filter(({ plan }) => plan.kind === "headless" && !plan.isOfFleet)
    .sort((a, b) => (a.plan.id < b.plan.id ? -1 : 1));
  const chosen = headless.findLast(({ plan }) => plan.cwd === project) ?? headless.at(-1);
  if (chosen) return chosen;
  throw new Failure("not-found", "there is no interrupted run", { hint: "ai-runtime status lists all runs." });
}

/** Recreates the record directory, which may have been deleted. A run whose directory is not writable stays resumable. */
export function makeRecords(environment: Environment, { plan }: RunRecord): void {
  try {
    new RunFiles(plan.directory).make();
  } catch (error) {
    const message = messageOf(error);
    throw new Failure("failed", `run ${plan.id} cannot be resumed: ${message}`, {
      hint: adviseMoved(environment, plan) ?? `Fix that, then resume with: ai-runtime resume ${plan.id}`,
    });
  }
}

/** A run that is done or stopped is never resumed. */
export function refuseEnded(paths: RunPaths, record: RunRecord): void {
  const { id, sessionId } = record.plan;
  const { phase } = record.status;
  if (isFinal(phase)) {
    // The journal may know the end before the registry does.
    writeRun(paths, record);
    const hint = `Continue its conversation with: cclaude --resume ${sessionId}`;
    const what = phase === "done" ? "is already done" : "was stopped for good";
    throw new Failure("not-found", `run ${id} ${what}; there is nothing to resume`, { hint });
  }
}

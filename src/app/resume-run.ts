import { Failure } from "../core/failure.ts";
import { hasEnded, type RunRecord } from "../core/run-record.ts";
import { sweepTemporaries } from "../io/durable.ts";
import { RunFiles } from "../store/run-files.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { listEndedIds, writeRun } from "../store/run-registry.ts";
import type { Environment } from "./environment.ts";
import { findRun, hasDied, listActive, readIfWhole } from "./find-run.ts";
import { endLeftChild, holdRun } from "./hold-run.ts";
import { orElse } from "./or-else.ts";
import { superviseRun } from "./run-supervisor.ts";
import type { RunEnded, RunView } from "./run-view.ts";
import { environmentOfRun } from "./start-run.ts";

const day = 86_400_000;

export interface HowToRun {
  readonly view: (record: RunRecord) => RunView;
  readonly automatic: boolean;
  readonly detached: boolean;
  /** Milliseconds after which it begins: many that are taken up at once do not start at once. */
  readonly delay?: number;
}

/** Takes a run up and stays with it until it ends. */
export async function holdAndRun(
  environment: Environment,
  paths: RunPaths,
  found: RunRecord,
  { view, automatic, detached, delay = 0 }: HowToRun,
): Promise<RunEnded> {
  const lock = await holdRun(paths, found);
  let over = false;
  try {
    // Between the look and the lock somebody else may have ended it.
    const record = findRun(paths, found.plan.id, found.plan.cwd);
    refuseEnded(paths, record);
    makeRecords(record);
    orElse(environment, () => sweepBehind(paths, record, environment.now()), undefined);
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
    // Of ten thousand runs that are over no lock is left.
    if (over) lock.discard();
    else lock.release();
  }
}

/** What a supervisor that was killed while it wrote left behind; in the registry others may be writing just now. */
function sweepBehind(paths: RunPaths, { plan }: RunRecord, now: number): void {
  sweepTemporaries(plan.directory, 0, now);
  for (const shared of [paths.root, paths.active, paths.ended]) sweepTemporaries(shared, day, now);
}

/** The run that a person means who wants to go on: the given one, else the newest that was interrupted, this directory's first. */
export function chooseRunToResume(paths: RunPaths, given: string | undefined, project: string): RunRecord {
  if (given !== undefined) return findRun(paths, given, project);
  const open = listActive(paths).filter((record) => record.status.phase === "paused" || hasDied(record));
  const failed = listEndedIds(paths)
    .slice(-50)
    .flatMap((id) => readIfWhole(paths, id) ?? []);
  const all = [...failed.filter(({ status }) => status.phase === "failed"), ...open];
  const headless = all.filter(({ plan }) => plan.kind === "headless").sort((a, b) => (a.plan.id < b.plan.id ? -1 : 1));
  const chosen = headless.findLast(({ plan }) => plan.cwd === project) ?? headless.at(-1);
  if (chosen) return chosen;
  throw new Failure("not-found", "no run was interrupted", { hint: "ai-runtime status lists all runs." });
}

/** They may have been cleaned away since. What nobody can work in is left as it is, to be resumed another time. */
export function makeRecords({ plan }: RunRecord): void {
  try {
    new RunFiles(plan.directory).make();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Failure("failed", `run ${plan.id} cannot go on: ${message}`, {
      hint: `When that is put right: ai-runtime resume ${plan.id}`,
    });
  }
}

/** Done is done and stopped is stopped, whoever asks. */
export function refuseEnded(paths: RunPaths, record: RunRecord): void {
  const { id, sessionId } = record.plan;
  const { phase } = record.status;
  if (phase === "done" || phase === "stopped") {
    // The journal may have known it first.
    if (hasEnded(phase)) writeRun(paths, record);
    const hint = `Its conversation goes on with: cclaude --resume ${sessionId}`;
    const what = phase === "done" ? "is done already" : "was stopped for good";
    throw new Failure("not-found", `run ${id} ${what}; there is nothing to resume`, { hint });
  }
}

import { Failure } from "../../core/failure.ts";
import { matchId } from "../../core/match-id.ts";
import { placeAt } from "../../core/queue/queue.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import { QueueJournal } from "../../store/queue/queue-journal.ts";
import type { Environment } from "../environment.ts";
import { readSettled } from "../run-records/find-run.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { stopRun } from "../run-records/stop-run.ts";
import { ensureDispatcher } from "./dispatcher.ts";
import { viewQueue } from "./view-queue.ts";

/** A queued run by its id, or a beginning or end of it. */
function findQueued(environment: Environment, given: string): RunRecord {
  const ids = viewQueue(environment).waiting.map(({ entry }) => entry.id);
  const id = matchId(ids, given, { kind: "queued runs", allowSuffix: true });
  if (id !== undefined) return readSettled(runPathsOf(environment), id);
  throw new Failure("not-found", `no queued run is called "${given.slice(0, 60)}"`, {
    hint: ids.length > 0 ? "ai-runtime queue list shows them." : "The queue is empty.",
  });
}

/** `place` counts from 1. Returns the id. */
export async function moveQueued(
  environment: Environment,
  given: string,
  { place, priority }: { readonly place: number | undefined; readonly priority: number | undefined },
): Promise<string> {
  const { id } = findQueued(environment, given).plan;
  const waiting = new Set(viewQueue(environment).waiting.map(({ entry }) => entry.id));
  await new QueueJournal(runPathsOf(environment)).open(environment.now, ({ queue, change }) => {
    if (priority !== undefined) change({ kind: "prioritized", id, priority });
    if (place !== undefined) for (const each of placeAt(queue, id, place - 1, waiting)) change(each);
  });
  ensureDispatcher(environment);
  return id;
}

/** Ends a queued run for good. */
export async function cancelQueued(environment: Environment, given: string): Promise<RunRecord> {
  const paths = runPathsOf(environment);
  const { id } = findQueued(environment, given).plan;
  const stopped = await stopRun(environment, paths, id);
  await new QueueJournal(paths).open(environment.now, ({ change }) => change({ kind: "left", id }));
  ensureDispatcher(environment);
  return stopped;
}

/** While it is paused, no run of the queue starts; those that work continue. */
export async function pauseQueue(environment: Environment, isPaused: boolean): Promise<void> {
  const journal = new QueueJournal(runPathsOf(environment));
  await journal.open(environment.now, ({ queue, change }) => {
    if (queue.isPaused !== isPaused) change({ kind: "paused", isPaused });
  });
  ensureDispatcher(environment);
}

import { Failure } from "../../core/failure.ts";
import { messageOf } from "../../core/message-of.ts";
import { decideQueue, nextMoment, type QueueStep } from "../../core/queue/decide-queue.ts";
import { waitUntil } from "../../io/wait-until.ts";
import { tryLock } from "../../store/lock.ts";
import { QueueJournal } from "../../store/queue/queue-journal.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import type { Environment } from "../environment.ts";
import { logProblem } from "../program-log.ts";
import { detachRun } from "../run/detach-run.ts";
import { readSettled } from "../run-records/find-run.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { accountOf } from "../run-records/shared-limit.ts";
import { endQueued } from "./end-queued.ts";
import { factOf, queueFacts } from "./queue-facts.ts";

/** How soon it notices that a run has ended, or that the queue has changed. */
const lookIntervalMs = 1_000;

/** A run that is still queued after so many starts cannot be started here: its supervisor dies each time. */
const maxStarts = 5;

/** Starts the queued runs of this account, each in its moment, until none is left. Runs in a process of its own. */
export async function dispatch(environment: Environment): Promise<void> {
  const paths = runPathsOf(environment);
  const journal = new QueueJournal(paths);
  const account = accountOf(environment);
  const starts = new Map<string, number>();
  const hasWork = (): boolean => journal.read().entries.some((entry) => entry.account === account);
  while (hasWork()) {
    journal.makeDirectory();
    const lock = tryLock(journal.dispatcherLock(account));
    // The holder looks again after it has released the lock, and runs are added before this look.
    if (!lock) return;
    try {
      while (hasWork()) await look({ environment, paths, journal, starts });
    } finally {
      lock.release();
    }
  }
}

interface Dispatcher {
  readonly environment: Environment;
  readonly paths: RunPaths;
  readonly journal: QueueJournal;
  /** How often this process has started each run. */
  readonly starts: Map<string, number>;
}

async function look(dispatcher: Dispatcher): Promise<void> {
  const { environment, paths, journal } = dispatcher;
  const queue = journal.read();
  const steps = decideQueue(queue, queueFacts(environment, paths));
  for (const step of steps) {
    try {
      await perform(dispatcher, step);
    } catch (error) {
      // One run must not keep the others waiting.
      logProblem(environment, `queue: run ${step.id}: ${messageOf(error)}`);
    }
  }
  const now = environment.now();
  await waitUntil(Math.min(nextMoment(queue, steps) ?? Infinity, now + lookIntervalMs));
}

async function perform(dispatcher: Dispatcher, step: QueueStep): Promise<void> {
  const { environment, paths, journal } = dispatcher;
  switch (step.kind) {
    case "start":
      return start(dispatcher, step.id);
    case "cancel":
      return endQueued(environment, paths, step.id, step.why);
    case "leave":
      return journal.open(environment.now, ({ change }) => {
        // A run that was just added is registered by now.
        const fact = factOf(paths, step.id);
        if (fact !== "queued" && fact !== "running") change({ kind: "left", id: step.id });
      });
    case "running":
    case "wait":
      return undefined;
  }
}

/** The supervisor starts the run only if it is still queued, so that no run starts twice. */
async function start({ environment, paths, starts }: Dispatcher, id: string): Promise<void> {
  const count = (starts.get(id) ?? 0) + 1;
  starts.set(id, count);
  if (count > maxStarts) return endQueued(environment, paths, id, "not-started");
  try {
    await detachRun(environment, paths, readSettled(paths, id), { delay: 0, isQueued: true });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    logProblem(environment, `queue: ${error.message}`);
    await endQueued(environment, paths, id, "not-started");
  }
}

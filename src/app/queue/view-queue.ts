import { decideQueue, type QueueWait } from "../../core/queue/decide-queue.ts";
import type { QueueEntry } from "../../core/queue/queue.ts";
import type { RunPlan } from "../../core/run/run-record.ts";
import { QueueJournal } from "../../store/queue/queue-journal.ts";
import { readIfWhole } from "../../store/runs/run-registry.ts";
import type { Environment } from "../environment.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { queueFacts } from "./queue-facts.ts";

export interface QueuedRun {
  readonly entry: QueueEntry;
  readonly plan: RunPlan;
  /** Undefined: it is about to start, or to be canceled. */
  readonly wait: QueueWait | undefined;
}

export interface QueueView {
  readonly isPaused: boolean;
  /** Those that have not started, in the order in which they start. */
  readonly waiting: readonly QueuedRun[];
  /** How many runs that the queue started still work. */
  readonly running: number;
}

export function viewQueue(environment: Environment): QueueView {
  const paths = runPathsOf(environment);
  const queue = new QueueJournal(paths).read();
  const steps = decideQueue(queue, queueFacts(environment, paths));
  const waiting = steps.flatMap((step): QueuedRun[] => {
    const entry = queue.entries.find(({ id }) => id === step.id);
    const plan = readIfWhole(paths, step.id)?.plan;
    if (!entry || !plan || step.kind === "leave" || step.kind === "running") return [];
    return [{ entry, plan, wait: step.kind === "wait" ? step.wait : undefined }];
  });
  const running = steps.filter(({ kind }) => kind === "running").length;
  return { isPaused: queue.isPaused, waiting, running };
}

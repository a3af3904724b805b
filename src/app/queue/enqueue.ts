import { Failure } from "../../core/failure.ts";
import type { QueueEntry } from "../../core/queue/queue.ts";
import { readMoment } from "../../core/queue/time-words.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import { QueueJournal } from "../../store/queue/queue-journal.ts";
import type { Environment } from "../environment.ts";
import { findRun } from "../run-records/find-run.ts";
import { createRun, type NewRun, newRunId, runPathsOf } from "../run-records/register-run.ts";
import { accountOf } from "../run-records/shared-limit.ts";
import { ensureDispatcher } from "./dispatcher.ts";

export type QueueConditions = Omit<QueueEntry, "id" | "account">;

const queueFlags = ["at", "when-available", "after", "after-success", "deadline", "priority", "max-parallel"];

/** What the run's options say about its moment; undefined when they do not mention the queue. */
export function readConditions(
  environment: Environment,
  own: ReadonlyMap<string, string>,
): QueueConditions | undefined {
  if (!queueFlags.some((flag) => own.has(flag))) return undefined;
  if (own.has("interactive")) {
    throw new Failure("usage", "an interactive run cannot wait in the queue", { hint: "Leave out --interactive." });
  }
  if (own.has("after") && own.has("after-success")) {
    throw new Failure("usage", "--after and --after-success contradict each other; give one of them");
  }
  const at = momentOf(environment, own, "at");
  const deadline = momentOf(environment, own, "deadline");
  if (at !== null && deadline !== null && deadline <= at) {
    throw new Failure("usage", "--deadline is not after --at, so the run would never start");
  }
  const success = own.has("after-success");
  const after = own.get(success ? "after-success" : "after");
  const run = after === undefined ? undefined : findRun(runPathsOf(environment), after, environment.cwd).plan.id;
  return {
    at,
    deadline,
    whenAvailable: own.has("when-available"),
    after: run === undefined ? null : { run, success },
    priority: numberOf(own, "priority", -1_000) ?? 0,
    maxParallel: numberOf(own, "max-parallel", 1),
  };
}

function momentOf({ now }: Environment, own: ReadonlyMap<string, string>, flag: string): number | null {
  const text = own.get(flag);
  if (text === undefined) return null;
  const moment = readMoment(text, { now: now(), zone: new Intl.DateTimeFormat().resolvedOptions().timeZone });
  if (moment.kind === "time") return moment.time;
  throw new Failure("usage", `--${flag}: ${moment.problem}`);
}

function numberOf(own: ReadonlyMap<string, string>, flag: string, min: number): number | null {
  const text = own.get(flag);
  if (text === undefined) return null;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= min && value <= 1_000) return value;
  throw new Failure("usage", `--${flag} must be a whole number from ${min} to 1000 (got "${text}")`);
}

/** Registers a run that starts later. It is in the queue, and on disk, when this returns. */
export async function enqueue(environment: Environment, run: NewRun, conditions: QueueConditions): Promise<RunRecord> {
  const id = newRunId(environment);
  const entry: QueueEntry = { ...conditions, id, account: accountOf(environment) };
  const journal = new QueueJournal(runPathsOf(environment));
  // The entry comes first: a registered run without one would wait forever. The lock hides it until the run is registered.
  const record = await journal.open(environment.now, ({ change }) => {
    change({ kind: "added", entry });
    return createRun(environment, { ...run, queued: { id, until: conditions.at } });
  });
  ensureDispatcher(environment);
  return record;
}

import { inOrder, type Queue, type QueueEntry } from "./queue.ts";

/** What the registry says about a run: `queued` has not started, `running` has a live supervisor. */
export type RunFact = "queued" | "running" | "interrupted" | "done" | "failed" | "missing";

export interface QueueFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The account of the process that decides; it starts no other account's runs. */
  readonly account: string;
  /** When the account has quota again; null when it has some now, or nothing is known. */
  readonly availableAt: number | null;
  readonly maxParallel: number;
  factOf(run: string): RunFact;
}

/** What a run waits for. */
export type QueueWait =
  | { readonly kind: "time"; readonly until: number }
  | { readonly kind: "limit"; readonly until: number }
  | { readonly kind: "run"; readonly run: string }
  | { readonly kind: "turn" }
  | { readonly kind: "paused" }
  /** A process with the account's variables. */
  | { readonly kind: "account" };

export type QueueStep =
  | { readonly kind: "start"; readonly id: string }
  | { readonly kind: "cancel"; readonly id: string; readonly why: "deadline" | "after" }
  /** It started earlier, or its record is gone. */
  | { readonly kind: "leave"; readonly id: string }
  | { readonly kind: "running"; readonly id: string }
  | { readonly kind: "wait"; readonly id: string; readonly wait: QueueWait };

/** What to do with each run of the queue now, in order. */
export function decideQueue(queue: Queue, facts: QueueFacts): QueueStep[] {
  const ordered = inOrder(queue);
  const running = ordered.filter(({ id }) => facts.factOf(id) === "running");
  const counts = new Map<string, number>();
  for (const { account } of running) counts.set(account, (counts.get(account) ?? 0) + 1);
  return ordered.map((entry): QueueStep => {
    const { id, account } = entry;
    const fact = facts.factOf(id);
    if (fact === "running") return { kind: "running", id };
    if (fact !== "queued") return { kind: "leave", id };
    if (entry.deadline !== null && entry.deadline <= facts.now) return { kind: "cancel", id, why: "deadline" };
    if (isHopeless(entry, facts)) return { kind: "cancel", id, why: "after" };
    const count = counts.get(account) ?? 0;
    const wait = waitOf(entry, queue, facts, count);
    if (wait) return { kind: "wait", id, wait };
    counts.set(account, count + 1);
    return { kind: "start", id };
  });
}

/** The run that it follows will never be done. */
function isHopeless({ after }: QueueEntry, { factOf }: QueueFacts): boolean {
  if (!after?.success) return false;
  const fact = factOf(after.run);
  return fact === "failed" || fact === "missing";
}

function waitOf(entry: QueueEntry, { isPaused }: Queue, facts: QueueFacts, running: number): QueueWait | undefined {
  const { at, after, whenAvailable, account, maxParallel } = entry;
  const { now, availableAt, factOf } = facts;
  if (after && !["done", "failed", "missing"].includes(factOf(after.run))) return { kind: "run", run: after.run };
  if (at !== null && at > now) return { kind: "time", until: at };
  if (account !== facts.account) return { kind: "account" };
  if (whenAvailable && availableAt !== null && availableAt > now) return { kind: "limit", until: availableAt };
  if (isPaused) return { kind: "paused" };
  return running >= (maxParallel ?? facts.maxParallel) ? { kind: "turn" } : undefined;
}

/** When the next time of the queue is reached; undefined when it waits for no time. */
export function nextMoment(queue: Queue, steps: readonly QueueStep[]): number | undefined {
  const waiting = steps.filter((step) => step.kind === "wait");
  const times = waiting.flatMap(({ id, wait }) => {
    const deadline = queue.entries.find((entry) => entry.id === id)?.deadline ?? null;
    return [...("until" in wait ? [wait.until] : []), ...(deadline === null ? [] : [deadline])];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

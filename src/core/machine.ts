import { backoff } from "./backoff.ts";
import type { FailureKind } from "./failure.ts";
import type { Phase } from "./run-record.ts";
import type { AttemptEnd, Signal } from "./signal.ts";

/** What of a run decides about its next step; see RunStatus, which holds it on disk. */
export interface Life {
  readonly phase: Phase;
  readonly until: number | null;
  readonly cause: string | null;
  readonly fruitless: number;
  readonly restores: number;
}

export type Action =
  | { readonly kind: "launch" }
  | { readonly kind: "wait"; readonly until: number }
  /** Look that the transcript is whole and nobody else's; after an overload, go back to where it fits. */
  | { readonly kind: "prepare"; readonly restore: boolean }
  | { readonly kind: "end-claude" }
  | { readonly kind: "finish"; readonly exit: FailureKind | "done" };

export interface Context {
  readonly now: number;
  /** From 0 up to, not including, 1. */
  readonly random: number;
  /** A claude of this run has been started before. */
  readonly begun: boolean;
  /** Until when, as another run has found out, the account is at its limit. */
  readonly knownLimit: number | null;
  /** How long after a reset it is this run's turn: others wait for the same one. */
  readonly turn: number;
  /** In milliseconds; null waits as long as it takes. */
  readonly maxWait: number | null;
  readonly maxAttempts: number;
  readonly firstDelay: number;
  readonly unknownLimit: number;
}

export interface Transition {
  readonly life: Life;
  readonly actions: readonly Action[];
}

/** A little after the reset: the two clocks need not agree to the second. */
const afterReset = 2_000;
/** A limit that is still there after its reset is asked about again after these pauses. */
const patience = [15_000, 60_000, 300_000];
const mostRestores = 3;

/** The life of a run: what has happened, and what follows. What a phase has no answer to changes nothing. */
export function transition(life: Life, signal: Signal, context: Context): Transition {
  const { phase } = life;
  if (phase === "done" || phase === "stopped") return stay(life);
  if (signal.kind === "stop") return finish(life, "stopped", "stopped", "stopped", mayLive(phase));
  if (signal.kind === "begin") return begin(life, context);
  if (phase === "failed" || phase === "paused") return stay(life);
  if (signal.kind === "interrupted") {
    return finish(life, "paused", signal.bySystem ? "shutdown" : "interrupted", "stopped", mayLive(phase));
  }
  switch (phase) {
    case "waiting-limit":
    case "backing-off":
      return signal.kind === "reached" ? goOn(life, context) : stay(life);
    case "starting":
    case "working":
      if (signal.kind === "launched") return { life: { ...life, phase: "working" }, actions: [] };
      return signal.kind === "ended" ? follow(life, signal.end, signal.progress, context) : stay(life);
    case "recovering":
      if (signal.kind === "ready") return { life: { ...life, phase: "starting" }, actions: [{ kind: "launch" }] };
      return signal.kind === "unready" ? giveWay(life, signal.why) : stay(life);
  }
}

const stay = (life: Life): Transition => ({ life, actions: [] });

/** Between its launch and the news of it, claude is there already. */
const mayLive = (phase: Phase): boolean => phase === "starting" || phase === "working";

function begin(life: Life, context: Context): Transition {
  // A new try by the user's wish is a new count.
  if (life.phase === "failed" || life.phase === "paused") return goOn({ ...life, fruitless: 0, restores: 0 }, context);
  // It was at work, and whoever held it is gone.
  if (life.phase === "working") return goOn({ ...life, cause: "interrupted" }, context);
  const waits = life.phase === "waiting-limit" && life.until !== null && life.until > context.now;
  return waits ? waitForLimit(life, life.until, context) : goOn(life, context);
}

function goOn(life: Life, context: Context): Transition {
  // Whoever knows that the account is at its limit need not ask.
  if (context.knownLimit !== null && context.knownLimit > context.now) {
    return waitForLimit(life, context.knownLimit + afterReset + context.turn, context);
  }
  const next = { ...life, until: null };
  if (!context.begun) return { life: { ...next, phase: "starting" }, actions: [{ kind: "launch" }] };
  return { life: { ...next, phase: "recovering" }, actions: [{ kind: "prepare", restore: false }] };
}

function follow(life: Life, end: AttemptEnd, progress: boolean, context: Context): Transition {
  const fruitless = progress ? 0 : life.fruitless + 1;
  // A restore that led on to answers has held: the next overload is another one.
  const restores = progress && end.kind !== "overload" ? 0 : life.restores;
  const next = { ...life, fruitless, restores, cause: end.kind };
  switch (end.kind) {
    case "finished":
      return finish(next, "done", null, "done");
    case "authentication":
    case "billing":
      return finish(next, "failed", end.kind, "authentication");
    case "budget":
    case "turns":
    case "refused":
    case "error":
      return finish(next, "failed", end.kind, "failed");
    case "overload":
      if (fruitless >= context.maxAttempts) return finish(next, "failed", "overload", "failed");
      if (restores >= mostRestores) return finish(next, "failed", "overload", "failed");
      return {
        life: { ...next, phase: "recovering", restores: restores + 1 },
        actions: [{ kind: "prepare", restore: true }],
      };
    case "limit":
      if (fruitless >= context.maxAttempts) return finish(next, "failed", "limit", "failed");
      return waitForLimit(next, limitEnd(life, end.resetsAt, context) + context.turn, context);
    case "empty":
    case "server":
    case "crash": {
      if (fruitless >= context.maxAttempts) return finish(next, "failed", end.kind, "failed");
      const delay = backoff(progress ? 0 : life.fruitless, context.firstDelay) * (1 + context.random / 5);
      const until = context.now + Math.round(delay);
      return { life: { ...next, phase: "backing-off", until }, actions: [{ kind: "wait", until }] };
    }
  }
}

/** A reset that lies ahead is believed. One that has passed, and the limit is still there, is not asked about at once again. */
function limitEnd(life: Life, resetsAt: number | null, { now, unknownLimit, knownLimit }: Context): number {
  const known = knownLimit !== null && knownLimit > now ? knownLimit + afterReset : now;
  // What another run was told is better than a guess.
  if (resetsAt === null) return known > now ? known : now + unknownLimit;
  const isRepeated = life.cause === "limit" && resetsAt <= now;
  const pause = isRepeated ? (patience[Math.min(life.fruitless, patience.length - 1)] ?? 0) : 0;
  return Math.max(resetsAt + afterReset, now + pause, known);
}

function waitForLimit(life: Life, until: number, { now, maxWait }: Context): Transition {
  const limited = { ...life, cause: "limit", until };
  if (maxWait !== null && until - now > maxWait) {
    return { life: { ...limited, phase: "paused" }, actions: [{ kind: "finish", exit: "waiting" }] };
  }
  return { life: { ...limited, phase: "waiting-limit" }, actions: [{ kind: "wait", until }] };
}

function giveWay(life: Life, why: "went-on-elsewhere" | "no-restore-point"): Transition {
  return why === "went-on-elsewhere" ? finish(life, "paused", why, "locked") : finish(life, "failed", why, "failed");
}

function finish(
  life: Life,
  phase: Phase,
  cause: string | null,
  exit: FailureKind | "done",
  endClaude = false,
): Transition {
  const before: Action[] = endClaude ? [{ kind: "end-claude" }] : [];
  return { life: { ...life, phase, cause, until: null }, actions: [...before, { kind: "finish", exit }] };
}

import type { FailureKind } from "../failure.ts";
import { isFinal, type Phase } from "../run/run-record.ts";
import { waitForKnownLimit } from "./limit-wait.ts";
import { decideRestart, type RestartCause, type RestartRules } from "./policy.ts";
import type { AttemptEnd, Signal } from "./signal.ts";

/** The part of RunStatus that decides about the next step of a run. */
export interface RunState {
  readonly phase: Phase;
  readonly until: number | null;
  readonly cause: string | null;
  readonly fruitless: number;
  readonly restores: number;
  readonly failingSince?: number | null;
  readonly claudeWaits?: boolean;
}

export type RunAction =
  | { readonly kind: "launch" }
  /** `isSilent`: the user already knows of this wait. */
  | { readonly kind: "wait"; readonly until: number; readonly isSilent?: true }
  /** Checks that the transcript is whole and not in use; after an overload, restores an earlier point that fits. */
  | { readonly kind: "prepare"; readonly restore: boolean }
  | { readonly kind: "end-claude" }
  | { readonly kind: "finish"; readonly exit: FailureKind | "done" };

export interface RunContext {
  readonly now: number;
  /** At least 0 and below 1. */
  readonly random: number;
  /** This run has started a claude before. */
  readonly begun: boolean;
  /** Until when another run of the account reported a limit. */
  readonly knownLimit: number | null;
  /** Milliseconds after the reset until it is this run's turn, because other runs wait for the same reset. */
  readonly turn: number;
  /** Milliseconds, for one limit or for failures of the API in a row; null has no maximum. */
  readonly maxWait: number | null;
  readonly maxAttempts: number;
  readonly firstDelay: number;
  readonly unknownLimit: number;
}

export interface Transition {
  readonly state: RunState;
  readonly actions: readonly RunAction[];
}

/** The next state of a run after a signal, and what to do. A signal that a phase does not expect changes nothing. */
export function transition(state: RunState, signal: Signal, context: RunContext): Transition {
  const { phase } = state;
  if (isFinal(phase)) return unchanged(state);
  if (signal.kind === "stop") return finish(state, "stopped", "stopped", "stopped", mayHaveClaude(state));
  if (signal.kind === "begin") return begin(state, context);
  if (phase === "failed" || phase === "paused") return unchanged(state);
  if (signal.kind === "interrupted") {
    return finish(state, "paused", signal.bySystem ? "shutdown" : "interrupted", "stopped", mayHaveClaude(state));
  }
  switch (phase) {
    case "waiting-limit":
    case "backing-off":
      if (state.claudeWaits) return whileClaudeWaits(state, signal, context);
      return signal.kind === "reached" ? continueRun(state, context) : unchanged(state);
    case "starting":
    case "working":
      if (signal.kind === "launched") return { state: { ...state, phase: "working" }, actions: [] };
      if (signal.kind === "retrying") return claudeRetries(state, signal, context);
      return signal.kind === "ended" ? afterAttempt(state, signal.end, signal.progress, context) : unchanged(state);
    case "queued":
      return unchanged(state);
    case "recovering":
      if (signal.kind === "ready") return { state: { ...state, phase: "starting" }, actions: [{ kind: "launch" }] };
      return signal.kind === "unready" ? cannotResume(state, signal.why) : unchanged(state);
  }
}

const unchanged = (state: RunState): Transition => ({ state, actions: [] });

/** In `starting`, claude may already run before its `launched` signal arrives. */
const mayHaveClaude = ({ phase, claudeWaits = false }: RunState): boolean =>
  phase === "starting" || phase === "working" || claudeWaits;

function whileClaudeWaits(state: RunState, signal: Signal, context: RunContext): Transition {
  const { until } = state;
  switch (signal.kind) {
    case "retrying":
      return claudeRetries(state, signal, context);
    case "answered":
      return { state: { ...state, ...noWait, phase: "working", cause: null, failingSince: null }, actions: [] };
    case "ended": {
      // It died in the wait, and the limit is still there.
      const isLimited = state.phase === "waiting-limit" && signal.end.kind === "crash" && (until ?? 0) > context.now;
      const end: AttemptEnd = isLimited ? { kind: "limit", resetsAt: until } : signal.end;
      return afterAttempt({ ...state, ...noWait }, end, signal.progress, context);
    }
    case "reached": {
      const latest = (until ?? 0) + maxRetryDelayMs;
      if (context.now < latest) return { state, actions: [{ kind: "wait", until: latest, isSilent: true }] };
      // The signal of its end restarts it.
      return { state: { ...state, ...noWait, phase: "working" }, actions: [{ kind: "end-claude" }] };
    }
    default:
      return unchanged(state);
  }
}

const noWait = { until: null, claudeWaits: false };
/**
 * A claude that has not repeated its request this long after its wait will not do so: its timer may have stood still while the
 * machine slept.
 */
const maxRetryDelayMs = 60_000;

/** Claude waits for at most six hours and then asks again. A longer wait needs no process. */
const maxClaudeWaitMs = 6 * 3_600_000;

function claudeRetries(
  state: RunState,
  { why, until: announced }: Extract<Signal, { kind: "retrying" }>,
  context: RunContext,
): Transition {
  const until = Math.max(announced, context.now);
  const waits = { ...state, cause: why, until, claudeWaits: true };
  if (why === "limit") {
    const left = until - context.now;
    if (left <= (context.maxWait ?? Infinity) && left <= maxClaudeWaitMs) {
      return { state: { ...waits, phase: "waiting-limit" }, actions: [{ kind: "wait", until }] };
    }
    const own = restart({ ...state, ...noWait, cause: why }, { kind: "limit", resetsAt: until }, 0, context);
    return { state: own.state, actions: [{ kind: "end-claude" }, ...own.actions] };
  }
  const failing = { ...waits, failingSince: state.failingSince ?? context.now };
  const { lastServerRetry } = serverRules(failing, context);
  if (lastServerRetry !== null && until > lastServerRetry) {
    return finish({ ...failing, ...noWait }, "failed", "server", "failed", true);
  }
  return { state: { ...failing, phase: "backing-off" }, actions: [{ kind: "wait", until }] };
}

function begin(before: RunState, context: RunContext): Transition {
  const state = { ...before, claudeWaits: false };
  const { phase, until } = state;
  // The user asked for a new try, so the counts start again.
  if (phase === "failed" || phase === "paused") return continueRun({ ...state, ...noCounts }, context);
  // The supervisor died while claude worked.
  if (phase === "working") return continueRun({ ...state, cause: "interrupted" }, context);
  const isWaiting = phase === "waiting-limit" && until !== null && until > context.now;
  return isWaiting ? waitForLimit(state, until, context) : continueRun(state, context);
}

const noCounts = { fruitless: 0, restores: 0, failingSince: null };

function continueRun(state: RunState, context: RunContext): Transition {
  const known = waitForKnownLimit(context.knownLimit, context.now);
  if (known) return waitForLimit(state, known.until + context.turn, context);
  const next = { ...state, until: null };
  if (!context.begun) return { state: { ...next, phase: "starting" }, actions: [{ kind: "launch" }] };
  return { state: { ...next, phase: "recovering" }, actions: [{ kind: "prepare", restore: false }] };
}

function afterAttempt(state: RunState, end: AttemptEnd, progress: boolean, context: RunContext): Transition {
  const isSameTrouble = troubleOf(end.kind) === troubleOf(state.cause);
  // A claude that stops early every time brings an answer every time, and must not do so forever.
  const isFruitful = progress && end.kind !== "unfinished";
  const fruitless = isFruitful ? 0 : isSameTrouble ? state.fruitless + 1 : 1;
  // Answers after a restore show that it worked: the next overload is a new one.
  const restores = progress && end.kind !== "overload" ? 0 : state.restores;
  const began = isSameTrouble && !progress ? (state.failingSince ?? context.now) : context.now;
  const failingSince = end.kind === "server" ? began : null;
  const next = { ...state, fruitless, restores, failingSince, cause: end.kind };
  switch (end.kind) {
    case "finished":
      return finish(next, "done", null, "done");
    case "authentication":
    case "permission":
    case "billing":
      return finish(next, "failed", end.kind, "authentication");
    case "budget":
    case "turns":
    case "refused":
    case "error":
    case "hook":
    case "deferred":
    case "refusal":
      return finish(next, "failed", end.kind, "failed");
    case "overload":
    case "limit":
    case "empty":
    case "server":
    case "crash":
    case "unfinished": {
      const limits = state.cause === "limit" && !progress ? state.fruitless + 1 : 0;
      return restart(next, end, limits, context);
    }
  }
}

/** Ends of the same trouble are counted together: limits, failures of the API, and everything that claude itself does. */
const troubleOf = (cause: string | null): string => (cause === "limit" || cause === "server" ? cause : "claude");

function restart(state: RunState, cause: RestartCause, limits: number, context: RunContext): Transition {
  const { fruitless, restores } = state;
  const counts = { failures: fruitless, limits, restores, restarts: 0 };
  const action = decideRestart(cause, counts, { ...context, ...serverRules(state, context), maxRestarts: Infinity });
  switch (action.kind) {
    case "give-up":
      return finish(state, "failed", cause.kind, "failed");
    case "restore":
      return {
        state: { ...state, phase: "recovering", restores: restores + 1 },
        actions: [{ kind: "prepare", restore: true }],
      };
    case "hold":
      return finish(state, "paused", "limit", "waiting");
    case "wait":
      return waitForLimit(state, action.until + context.turn, context);
    case "resume": {
      const until = context.now + action.delay;
      return { state: { ...state, phase: "backing-off", until }, actions: [{ kind: "wait", until }] };
    }
  }
}

/** Without a wait at limits, a failing API is still retried, as often as a crashing claude. */
const serverRules = (
  { failingSince }: RunState,
  { now, maxWait, maxAttempts }: RunContext,
): Pick<RestartRules, "maxServerFailures" | "lastServerRetry"> => ({
  maxServerFailures: maxWait === 0 ? maxAttempts : Infinity,
  lastServerRetry: maxWait === null || maxWait === 0 ? null : (failingSince ?? now) + maxWait,
});

function waitForLimit(state: RunState, until: number, { now, maxWait }: RunContext): Transition {
  const limited = { ...state, cause: "limit", until };
  if (maxWait !== null && until - now > maxWait) {
    return { state: { ...limited, phase: "paused" }, actions: [{ kind: "finish", exit: "waiting" }] };
  }
  return { state: { ...limited, phase: "waiting-limit" }, actions: [{ kind: "wait", until }] };
}

function cannotResume(state: RunState, why: "went-on-elsewhere" | "no-restore-point"): Transition {
  return why === "went-on-elsewhere" ? finish(state, "paused", why, "locked") : finish(state, "failed", why, "failed");
}

function finish(
  state: RunState,
  phase: Phase,
  cause: string | null,
  exit: FailureKind | "done",
  endClaude = false,
): Transition {
  const before: RunAction[] = endClaude ? [{ kind: "end-claude" }] : [];
  return { state: { ...state, phase, cause, until: null }, actions: [...before, { kind: "finish", exit }] };
}

import { backoff } from "./backoff.ts";
import type { FinalError } from "./final-error.ts";
import { type Load, looksOverloaded } from "./overload.ts";

/** Everything that is known when claude has ended. No text of the conversation is in it. */
export interface Evidence extends Load {
  readonly exitCode: number;
  /** That ended it, by itself or as an exit code above 128. */
  readonly signal: string | null;
  /** We were told to stop while it ran: Ctrl-C in print mode, a hang-up, a termination. */
  readonly stopAsked: boolean;
  readonly interactive: boolean;
  /** Some hook of this run reached us, so that a SessionEnd that is missing means something. */
  readonly hooksSeen: boolean;
  readonly endReason: string | null;
  /** Of the last StopFailure. */
  readonly failure: string | null;
  readonly finalError: FinalError | null;
  /** There is a session with something in it that can be resumed. */
  readonly resumable: boolean;
  /** This start brought at least one answer. */
  readonly progress: boolean;
}

/** What happened before, in this run of cclaude. */
export interface History {
  /** In a row without an answer in between. */
  readonly crashes: number;
  readonly limits: number;
  readonly restores: number;
  /** Of all kinds and over the whole run. */
  readonly restarts: number;
}

export type Cause =
  | "left"
  | "finished"
  | "stopped"
  | "not-started"
  | "failed"
  | "authentication"
  | "billing"
  | "limit"
  | "overload"
  | "server"
  | "crash";

export type Action =
  { readonly kind: "exit" } | { readonly kind: "give-up" } | { readonly kind: "restore" } | Resume | Wait;
export interface Resume {
  readonly kind: "resume";
  readonly delay: number;
}
export interface Wait {
  readonly kind: "wait";
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly known: boolean;
}

export interface Decision {
  readonly cause: Cause;
  readonly action: Action;
}

export interface EndingRules {
  readonly now: number;
  /** Before the first restart after a crash. */
  readonly firstDelay: number;
  /** For a limit that does not say when it ends. */
  readonly unknownLimit: number;
}

const mostAttempts = 3;
/** Whatever the reason and the progress: a run that needs more than this is turning in a circle. */
const mostRestarts = 50;

/** A little after the reset: the two clocks need not agree to the second. */
const afterReset = 2_000;
/** A limit that is still there after its reset is asked again after these pauses. */
const patience = [0, 60_000, 300_000];

export function decideEnding(evidence: Evidence, history: History, rules: EndingRules): Decision {
  const cause = findCause(evidence);
  return { cause, action: chooseAction(cause, evidence, history, rules) };
}

/** What the next decision must know of this one. */
export function countRestart(history: History, action: Action, progress: boolean): History {
  const { crashes, limits, restores, restarts } = history;
  return {
    crashes: action.kind === "resume" ? (progress ? 0 : crashes) + 1 : 0,
    limits: action.kind === "wait" ? (progress ? 0 : limits) + 1 : 0,
    restores: action.kind === "restore" ? restores + 1 : restores,
    restarts: restarts + 1,
  };
}

function findCause(evidence: Evidence): Cause {
  const { exitCode, signal, endReason, finalError, interactive, resumable, progress, hooksSeen } = evidence;
  if (evidence.stopAsked || isStop(signal)) return "stopped";
  // Whatever the transcript says: who leaves knows it.
  if (endReason !== null && wilful.has(endReason)) return "left";
  if (exitCode === 0 && signal === null) return interactive ? "left" : "finished";
  const error = finalError ?? fromHook(evidence.failure);
  if (error && resumable) return causeOf(error);
  if (!resumable) return "not-started";
  if (looksOverloaded(evidence) && (signal !== null || endReason === null)) return "overload";
  if (signal !== null) return "crash";
  if (!progress) return "not-started";
  return hooksSeen && endReason === null ? "crash" : "failed";
}

const wilful = new Set(["prompt_input_exit", "logout", "bypass_permissions_disabled"]);
const isStop = (signal: string | null): boolean =>
  signal !== null && ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"].includes(signal);

function causeOf(error: FinalError): Cause {
  switch (error.kind) {
    case "too-long":
      return "overload";
    case "other":
      return "failed";
    default:
      return error.kind;
  }
}

/** The hook knows the kind but neither the reset nor the size; it is asked only when the transcript is silent. */
function fromHook(failure: string | null): FinalError | undefined {
  switch (failure) {
    case "rate_limit":
      return { kind: "limit", resetsAt: undefined };
    case "overloaded":
    case "server_error":
      return { kind: "server" };
    case "authentication_failed":
    case "oauth_org_not_allowed":
      return { kind: "authentication" };
    case "billing_error":
      return { kind: "billing" };
    default:
      return undefined;
  }
}

function chooseAction(cause: Cause, evidence: Evidence, history: History, rules: EndingRules): Action {
  switch (cause) {
    case "left":
    case "finished":
    case "stopped":
    case "not-started":
    case "failed":
    case "authentication":
    case "billing":
      return { kind: "exit" };
    case "overload":
      return tired(history, history.restores) ?? { kind: "restore" };
    case "server":
    case "crash": {
      const attempt = evidence.progress ? 0 : history.crashes;
      return tired(history, attempt) ?? { kind: "resume", delay: backoff(attempt, rules.firstDelay) };
    }
    case "limit": {
      const attempt = evidence.progress ? 0 : history.limits;
      return tired(history, 0) ?? waitFor(evidence.finalError, attempt, rules);
    }
  }
}

function tired(history: History, attempts: number): Action | undefined {
  return attempts >= mostAttempts || history.restarts >= mostRestarts ? { kind: "give-up" } : undefined;
}

function waitFor(error: FinalError | null, attempt: number, { now, unknownLimit }: EndingRules): Action {
  const reset = error?.kind === "limit" ? error.resetsAt : undefined;
  const earliest = now + (patience[attempt] ?? patience.at(-1) ?? 0);
  if (reset === undefined) return { kind: "wait", until: Math.max(now + unknownLimit, earliest), known: false };
  return { kind: "wait", until: Math.max(reset + afterReset, earliest), known: true };
}

import { type EndCause, type EndEvidence, findCause, isFull } from "./cause.ts";
import { decideRestart, type RestartAction } from "./policy.ts";

/** What happened before, under this cclaude. */
export interface RestartHistory {
  /** Restarts after a crash in a row, without an answer in between. */
  readonly crashes: number;
  /** Restarts after a failure of the API or the network in a row, without an answer in between; absent in records of version 0.1. */
  readonly serverFailures?: number;
  /** Waits for a limit in a row, without an answer in between. */
  readonly limits: number;
  readonly restores: number;
  /** Restarts of all kinds. */
  readonly restarts: number;
}

export type EndAction = { readonly kind: "exit" } | RestartAction;

export interface EndDecision {
  readonly cause: EndCause;
  readonly action: EndAction;
}

/** The user left a full conversation: the answer to a question decides whether it is restored. */
export interface OfferedRestore {
  readonly cause: EndCause;
  readonly action: { readonly kind: "offer-restore" };
}

/** What cclaude did in the end. It can differ from the decision: the user stops a wait, or no earlier point fits. */
export type EndOutcome =
  /** With claude's exit code. */
  | "ended"
  | "resumed"
  /** To an earlier point, and then resumed. */
  | "restored"
  | "gave-up"
  | "no-restore-point"
  /** At a limit that states no reset. */
  | "held"
  | "not-waiting"
  | "stopped-waiting"
  | "went-on-elsewhere"
  /** An error of ours prevented the action. */
  | "failed";

export interface EndingRules {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds before the first restart after a crash. */
  readonly firstDelay: number;
  /** Milliseconds to wait at a limit whose reset is unknown. */
  readonly unknownLimit: number;
}

/** The first start and three restarts. */
const maxAttempts = 4;
/**
 * A claude session that needs more restarts is in a loop, even when each attempt brings an answer. With a failing API it takes about
 * four hours.
 */
const maxRestarts = 50;

/** What ended a claude under cclaude, and what cclaude does next. */
export function decideEnding(
  evidence: EndEvidence,
  history: RestartHistory,
  rules: EndingRules,
): EndDecision | OfferedRestore {
  const cause = findCause(evidence);
  if (cause === "left" && evidence.interactive && isFull(evidence)) {
    const { kind } = decideAction("overload", evidence, history, rules);
    if (kind === "restore") return { cause, action: { kind: "offer-restore" } };
  }
  return { cause, action: decideAction(cause, evidence, history, rules) };
}

/** What follows the user's answer. */
export const settleOffer = (decision: OfferedRestore, isAccepted: boolean): EndDecision =>
  isAccepted ? { cause: "overload", action: { kind: "restore" } } : { cause: decision.cause, action: { kind: "exit" } };

/** The history for the next decision. */
export function countRestart(
  history: RestartHistory,
  decision: EndDecision | OfferedRestore,
  progress: boolean,
): RestartHistory {
  const { action, cause } = decision;
  const { crashes, serverFailures = 0, limits, restores, restarts } = history;
  const isResume = action.kind === "resume";
  return {
    crashes: isResume && cause !== "server" ? (progress ? 0 : crashes) + 1 : 0,
    serverFailures: isResume && cause === "server" ? (progress ? 0 : serverFailures) + 1 : 0,
    limits: action.kind === "wait" ? (progress ? 0 : limits) + 1 : 0,
    restores: action.kind === "restore" ? restores + 1 : restores,
    restarts: restarts + 1,
  };
}

function decideAction(cause: EndCause, evidence: EndEvidence, history: RestartHistory, rules: EndingRules): EndAction {
  // cclaude knows neither parallel runs nor their limits.
  const alone = { random: 0, knownLimit: null, lastServerRetry: null };
  const { finalError, progress, interactive } = evidence;
  const { serverFailures = 0 } = history;
  // A user at the terminal is there to try again; a script is not, so only the number of all restarts ends its tries.
  const maxServerFailures = interactive ? maxAttempts : Infinity;
  const policy = { ...rules, ...alone, maxAttempts, maxServerFailures, maxRestarts };
  // Only crashes count toward giving up: a limit can outlast any number of attempts.
  const counts = { ...history, limits: progress ? 0 : history.limits, failures: 0 };
  switch (cause) {
    case "left":
    case "finished":
    case "stopped":
    case "not-started":
    case "failed":
    case "authentication":
    case "permission":
    case "billing":
      return { kind: "exit" };
    case "overload":
      return decideRestart({ kind: cause }, counts, policy);
    case "server":
      return decideRestart({ kind: cause }, { ...counts, failures: progress ? 0 : serverFailures + 1 }, policy);
    case "crash":
      return decideRestart({ kind: cause }, { ...counts, failures: progress ? 0 : history.crashes + 1 }, policy);
    case "limit": {
      const limit = finalError?.kind === "limit" ? finalError : undefined;
      return decideRestart({ ...limit, kind: cause, resetsAt: limit?.resetsAt ?? null }, counts, policy);
    }
  }
}

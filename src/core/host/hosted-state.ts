import type { FinalError } from "../restart/final-error.ts";
import type { HoldCause } from "./continuation.ts";

/** What a hosted Claude is doing. */
export type HostedState =
  /** It works on a prompt. */
  | { readonly kind: "working" }
  /** It waits for the next prompt. `background`: tasks of it still run, and it continues when they end. */
  | { readonly kind: "idle"; readonly background: boolean }
  /** It waits for an answer of the user. */
  | { readonly kind: "asking"; readonly about: Question }
  /** It waits for a usage limit. `until`: milliseconds since 1970, null when unknown. `held`: why the host does not continue it. */
  | { readonly kind: "limit"; readonly until: number | null; readonly held: HoldCause | null }
  /** The conversation no longer fits, and Claude's own compaction did not help. */
  | { readonly kind: "context-full" }
  | { readonly kind: "ended" };

export type Question = "permission" | "question";

/**
 * What Claude itself says in its session file. `shell`: idle, with tasks in the background. `dialog`: a menu that the user
 * opened, or the menu at a limit.
 */
export type OwnStatus = "busy" | "idle" | "shell" | Question | "dialog";

/** Everything that is known about a hosted Claude at one moment. */
export interface HostedSignals {
  readonly hasEnded: boolean;
  /** Undefined for clients that do not report it (before 2.1.197). */
  readonly status: OwnStatus | undefined;
  /** The wait that the host knows of: until when, or why it does not continue. */
  readonly wait: { readonly until: number | null; readonly held: HoldCause | null } | undefined;
  /** When a hook last reported the end of a turn, in milliseconds since 1970. */
  readonly turnEndedAt: number | undefined;
  /** How the transcript ends; undefined before the first line. */
  readonly transcript:
    | {
        readonly midTurn: boolean;
        readonly finalError: FinalError | undefined;
        /** The time of the newest prompt, tool result or answer since the host started; undefined when there is none. */
        readonly continuedAt: number | undefined;
      }
    | undefined;
  readonly screen: {
    /** It offers to interrupt Claude. */
    readonly isWorking: boolean;
    readonly question: Question | undefined;
    /** It counts down to a retry at a usage limit. Milliseconds since 1970. */
    readonly retryAt: number | undefined;
  };
}

/** The state that the evidence shows: Claude's own status first, then hooks and transcript, the screen last. */
export function decideHostedState(signals: HostedSignals): HostedState {
  const { status, screen } = signals;
  if (signals.hasEnded) return { kind: "ended" };
  const isWorking = status === undefined ? worksWithoutStatus(signals) : status === "busy";
  // Claude waits inside its process; its status is busy and its transcript says nothing.
  if (isWorking && screen.retryAt !== undefined) return { kind: "limit", until: screen.retryAt, held: null };
  const question = questionIn(signals, isWorking);
  if (question) return { kind: "asking", about: question };
  if (isWorking) return { kind: "working" };
  const error = signals.transcript?.finalError;
  if (error?.kind === "limit") {
    const { until, held } = signals.wait ?? { until: error.resetsAt ?? null, held: null };
    return { kind: "limit", until, held };
  }
  return error?.kind === "too-long" ? { kind: "context-full" } : { kind: "idle", background: status === "shell" };
}

function questionIn({ status, screen, transcript }: HostedSignals, isWorking: boolean): Question | undefined {
  // 2.1.197 calls every question a permission prompt; the screen shows which one it is.
  if (status === "permission") return screen.question ?? "permission";
  if (status === "question") return "question";
  if (status !== undefined || screen.isWorking) return undefined;
  // Before the first line of the transcript, Claude asks whether it may work in this directory.
  return isWorking || transcript === undefined ? screen.question : undefined;
}

/** The transcript of an unfinished turn may be from before this start, or be behind the hook that reported the turn's end. */
function worksWithoutStatus({ screen, transcript, turnEndedAt }: HostedSignals): boolean {
  if (screen.isWorking) return true;
  const { midTurn = false, continuedAt } = transcript ?? {};
  return midTurn && continuedAt !== undefined && (turnEndedAt === undefined || turnEndedAt < continuedAt);
}

/** Whether the two are the same state, so that it has lasted since the first one. */
export function isSameState(a: HostedState, b: HostedState): boolean {
  if (a.kind === "limit" && b.kind === "limit") return a.held === b.held && isSameMoment(a.until, b.until);
  if (a.kind === "asking" && b.kind === "asking") return a.about === b.about;
  if (a.kind === "idle" && b.kind === "idle") return a.background === b.background;
  return a.kind === b.kind;
}

/** A countdown on the screen has whole seconds, or minutes. */
const countdownErrorMs = 90_000;

function isSameMoment(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Math.abs(a - b) < countdownErrorMs;
}

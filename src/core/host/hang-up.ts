import type { PromptState } from "./continuation.ts";
import type { HostedState } from "./hosted-state.ts";

/** What happens to Claude when its last terminal is closed or loses the connection. */
export type HangupPolicy = "finish" | "keep" | "end";

/** What the host has done so far to end Claude. Times are milliseconds since 1970. */
export interface Ending {
  /** When the host took its first step to end Claude; null before. */
  readonly startedAt: number | null;
  /** When the host first removed the user's text, so that Claude can continue after a limit; null before. */
  readonly clearedAt: number | null;
  readonly last: EndStep | "nothing";
  readonly lastAt: number;
  /** How often it has pressed Enter after `/exit`, and Escape. */
  readonly sends: number;
  readonly escapes: number;
}

/** A key or text at Claude's prompt, a signal, or the end of the whole process group. */
export type EndStep = "escape" | "clear" | "drop" | "text" | "send" | "SIGHUP" | "SIGTERM" | "kill";

/** `exit-dialog`: Claude asks whether its background tasks may stop with it. */
export type ExitScreen = PromptState | "exit-dialog";

export const nothingEnded: Ending = {
  startedAt: null,
  clearedAt: null,
  last: "nothing",
  lastAt: 0,
  sends: 0,
  escapes: 0,
};

export const recordEndStep = (before: Ending, step: EndStep, now: number): Ending => ({
  startedAt: before.startedAt ?? (step === "clear" ? null : now),
  clearedAt: before.clearedAt ?? (step === "clear" ? now : null),
  last: step,
  lastAt: now,
  sends: before.sends + (step === "send" ? 1 : 0),
  escapes: before.escapes + (step === "escape" ? 1 : 0),
});

/** A Claude that works again has not been ended by the keys so far: they count anew after its turn. A signal still counts. */
export const endingDuring = (ending: Ending, state: HostedState): Ending =>
  state.kind === "working" && !isSignal(ending.last) ? { ...nothingEnded, clearedAt: ending.clearedAt } : ending;

export interface HangupSituation {
  readonly now: number;
  readonly policy: HangupPolicy;
  /** When the last terminal was lost. */
  readonly lostAt: number;
  readonly state: HostedState;
  /** When the state began. */
  readonly since: number;
  /** Milliseconds since the last output. */
  readonly quietMs: number;
  /** The prompt, compared with `/exit`. */
  readonly screen: ExitScreen;
  /** The host types the message that continues after a limit. */
  readonly continuesLimits: boolean;
  readonly askTimeoutMs: number;
  readonly ending: Ending;
}

export type HangupDecision =
  | { readonly kind: "do"; readonly step: EndStep }
  /** Decide again at this time, or when the state changes; null: only then. */
  | { readonly kind: "wait"; readonly until: number | null };

/** Claude may go on by itself right after a turn: a queued prompt, a finished background task. */
const minQuietMs = 3_000;
/** Claude continues when its background tasks end; some, such as a server, never do. */
const maxBackgroundMs = 3_600_000;
/** A limit that Claude itself continues is continued within this time after its reset. */
const ownContinuationMs = 10 * 60_000;
/** The host continues within this time after the text is gone: it takes an empty prompt seriously after a minute. */
const textDroppedMs = 180_000;
const maxSends = 3;
const maxEscapes = 5;
/** After this long, the host sends SIGTERM instead of keys. */
const maxTypingMs = 60_000;
/** Claude ends within this time after each signal. */
const signalTimeoutMs = 10_000;

/** How long each key may take to show its effect. */
const settlingMs: Readonly<Record<EndStep | "nothing", number>> = {
  nothing: 0,
  escape: 2_000,
  clear: 5_000,
  drop: 500,
  text: 500,
  // Hooks at the end of a session take up to ten seconds.
  send: 15_000,
  SIGHUP: signalTimeoutMs,
  SIGTERM: signalTimeoutMs,
  kill: signalTimeoutMs,
};

/** Decides the next step for a Claude whose last terminal was lost. Never answers a question in the user's place. */
export function decideHangup(situation: HangupSituation): HangupDecision {
  const { policy, ending, now } = situation;
  if (policy === "keep") return { kind: "wait", until: null };
  const settledAt = settlesAt(situation);
  if (now < settledAt) return { kind: "wait", until: settledAt };
  if (isSignal(ending.last)) return { kind: "do", step: ending.last === "SIGHUP" ? "SIGTERM" : "kill" };
  if (policy === "end") return { kind: "do", step: "SIGHUP" };
  if (isHeldByText(situation)) return dropText(situation);
  const until = finishedAt(situation);
  if (until === null || now < until) return { kind: "wait", until };
  return situation.state.kind === "asking" ? { kind: "do", step: "SIGTERM" } : decideExit(situation);
}

/** The next step that ends Claude as `/exit` does, however it is chosen to end. SIGTERM is the last one. */
export function decideExitStep(situation: Pick<HangupSituation, "now" | "screen" | "ending">): HangupDecision {
  const settledAt = settlesAt(situation);
  return situation.now < settledAt ? { kind: "wait", until: settledAt } : decideExit(situation);
}

/** When the last step has had its effect. */
function settlesAt({ screen, ending }: Pick<HangupSituation, "screen" | "ending">): number {
  // The command had its effect: Claude asks back.
  const isAsked = ending.last === "send" && screen === "exit-dialog";
  return ending.lastAt + (isAsked ? settlingMs.text : settlingMs[ending.last]);
}

/** The user who began the text at the prompt has left, and it keeps the host from continuing after a limit. */
const isHeldByText = ({ state, ending, now }: HangupSituation): boolean =>
  state.kind === "limit" &&
  state.held === "typing" &&
  (ending.clearedAt === null || now - ending.clearedAt < textDroppedMs);

/** After that, the host continues the limit as at any empty prompt. Ctrl-C would also cancel Claude's own wait. */
function dropText({ now, screen, ending }: HangupSituation): HangupDecision {
  if (screen === "typed") return { kind: "do", step: "clear" };
  return { kind: "wait", until: (ending.clearedAt ?? now) + textDroppedMs };
}

/** When Claude has done its work, in milliseconds since 1970; null when only a change of its state can tell. */
function finishedAt({
  now,
  state,
  since,
  lostAt,
  quietMs,
  askTimeoutMs,
  continuesLimits,
  ending,
}: HangupSituation): number | null {
  switch (state.kind) {
    case "working":
    case "ended":
      return null;
    case "asking":
      return Math.max(since, lostAt) + askTimeoutMs;
    case "limit":
      // Only the user can end a limit without a reset, or a wait that was canceled.
      if (state.until === null && state.held !== "no-prompt") return now;
      if (continuesLimits || state.until === null) return null;
      return state.until + ownContinuationMs;
    case "idle":
    case "context-full": {
      // The host's own keys change the screen.
      const quiet = ending.startedAt === null ? now + minQuietMs - quietMs : now;
      const hasTasks = state.kind === "idle" && state.background;
      return hasTasks ? Math.max(quiet, Math.max(since, lostAt) + maxBackgroundMs) : quiet;
    }
  }
}

/** The next step of `/exit`, or SIGTERM when that had no effect. */
function decideExit({ now, screen, ending }: Pick<HangupSituation, "now" | "screen" | "ending">): HangupDecision {
  const isTooLate = ending.startedAt !== null && now - ending.startedAt > maxTypingMs;
  if (isTooLate || ending.sends >= maxSends || ending.escapes >= maxEscapes) return { kind: "do", step: "SIGTERM" };
  switch (screen) {
    case "ours":
    case "exit-dialog":
      return { kind: "do", step: "send" };
    // The user who began this text has left; Claude drops it at its end, too. What stays is an entry of a menu.
    case "typed":
      return { kind: "do", step: ending.last === "drop" ? "escape" : "drop" };
    // A text that did not arrive went elsewhere, for example into a search of earlier prompts, which Escape closes.
    case "empty":
      return { kind: "do", step: ending.last === "text" ? "escape" : "text" };
    // Escape closes a menu, and also a dialog that is not recognized as one.
    case "menu":
    case "unknown":
      return { kind: "do", step: "escape" };
  }
}

const isSignal = (step: Ending["last"]): boolean => step === "SIGHUP" || step === "SIGTERM" || step === "kill";

import type { HostedState } from "../host/hosted-state.ts";
import type { Need, NotifyEvent } from "./notification.ts";

export interface HostedMoment {
  readonly state: HostedState;
  /** Milliseconds since 1970: when the state began. */
  readonly since: number;
  readonly terminals: number;
  /** Milliseconds since 1970: when a hook last reported the end of a turn; absent before the first one. */
  readonly turnEndedAt?: number | undefined;
}

/** What was said last, so that nothing is said twice. */
export interface HostedTold {
  /** The state that was handled. */
  readonly since: number;
  readonly kind: HostedState["kind"];
  /** The user was told of a limit, and not yet that it is over. */
  readonly wasLimited: boolean;
  /** Milliseconds since 1970: when the end of a turn was last handled. */
  readonly turnHandledAt: number;
}

export interface HostedNews {
  readonly told: HostedTold;
  readonly event?: NotifyEvent;
  readonly need?: Need;
  readonly until?: number | null;
  /** Milliseconds until the next decision. */
  readonly again?: number;
}

/** A user at the terminal usually answers sooner than this. */
const answerTimeMs = 10_000;

/** The report of a hook may come this much later than the look that saw the same end of a turn. */
const lateReportMs = 5_000;

/** A program that starts now has not finished a turn. */
export const nothingTold = (now: number): HostedTold => ({
  since: 0,
  kind: "idle",
  wasLimited: false,
  turnHandledAt: now - lateReportMs,
});

/** What the user is told about a hosted Claude after a look at it. A turn between two looks is known only from the report of a hook. */
export function newsOfHosted(now: number, moment: HostedMoment, told: HostedTold): HostedNews {
  const { state, since, terminals, turnEndedAt = 0 } = moment;
  const hasUnseenEnd = turnEndedAt > told.turnHandledAt + lateReportMs;
  if (state.kind === told.kind && since === told.since && !(state.kind === "idle" && hasUnseenEnd)) return { told };
  const next: HostedTold = { ...told, since, kind: state.kind };
  const need = needOf(state);
  if (need) {
    const left = since + answerTimeMs - now;
    // Nothing is settled yet: the next look decides again.
    if (terminals > 0 && left > 0) return { told, again: left };
    return { told: next, event: "needs-you", need };
  }
  if (state.kind === "limit") return { told: { ...next, wasLimited: true }, event: "limit", until: state.until };
  if (state.kind === "working" && told.wasLimited) return { told: { ...next, wasLimited: false }, event: "resumed" };
  const isTurnOver = state.kind === "idle" && !state.background && (told.kind === "working" || hasUnseenEnd);
  if (!isTurnOver) return { told: next };
  const handled = { ...next, turnHandledAt: now };
  // With a terminal attached, the user sees it there.
  return terminals === 0 ? { told: handled, event: "done" } : { told: handled };
}

function needOf(state: HostedState): Need | undefined {
  if (state.kind === "asking") return state.about;
  return state.kind === "context-full" ? "context-full" : undefined;
}

/** How the program in a host ended. */
export interface HostedEnding {
  /** The user or the system ended it, or the host did after its terminal was lost. */
  readonly isExpected: boolean;
  readonly exitCode: number;
  readonly signal: string | null;
}

/** What the user is told when a hosted program has ended. A clean end with a terminal attached is the user's own. */
export function newsOfEnd({ isExpected, exitCode, signal }: HostedEnding, terminals: number): NotifyEvent | undefined {
  if (isExpected || terminals > 0) return undefined;
  return exitCode === 0 && signal === null ? "done" : "failed";
}

import { formatDuration } from "../duration.ts";

/** What the watchdog can observe of a claude. */
export interface SignsOfLife {
  /** Milliseconds since its process was first found missing; null while it exists. */
  readonly goneForMs: number | null;
  /** It has a prompt or a tool result to answer. */
  readonly isWorking: boolean;
  /** It waits for the user's answer or for a limit to reset, so it is not stuck however long that takes. */
  readonly isWaiting: boolean;
  /** Milliseconds since its transcript or its screen last changed. */
  readonly silenceMs: number;
}

export interface WatchdogRules {
  /** A working claude that is silent for this long is stuck. */
  readonly silenceLimitMs: number;
  readonly maxRestartsPerHour: number;
}

export type WatchdogVerdict =
  | { readonly kind: "leave" }
  /** It is stuck, but was restarted so often that another restart would not help. */
  | { readonly kind: "give-up"; readonly why: string }
  | { readonly kind: "restart"; readonly why: string };

const hourMs = 3_600_000;

/** `restarts`: the times of earlier restarts by the watchdog, in milliseconds since 1970. */
export function decideWatchdog(
  signs: SignsOfLife,
  restarts: readonly number[],
  rules: WatchdogRules,
  now: number,
): WatchdogVerdict {
  const why = findStuckReason(signs, rules);
  if (why === undefined) return { kind: "leave" };
  // Ignores times in the future: they come from before the clock was set back.
  const recent = restarts.filter((time) => time <= now && now - time < hourMs).length;
  if (recent < rules.maxRestartsPerHour) return { kind: "restart", why };
  return { kind: "give-up", why: `${why}, but it was already restarted ${recent} times in the last hour` };
}

/** The host normally reports the end of claude within this time. */
const endReportTimeoutMs = 10_000;

function findStuckReason(
  { goneForMs, isWorking, isWaiting, silenceMs }: SignsOfLife,
  { silenceLimitMs }: WatchdogRules,
): string | undefined {
  if (goneForMs !== null) {
    return goneForMs < endReportTimeoutMs ? undefined : "the process of claude is gone, but its end was not reported";
  }
  if (isWaiting || !isWorking || silenceMs < silenceLimitMs) return undefined;
  return `claude is working, but its transcript and screen have not changed for ${formatDuration(silenceMs)}`;
}

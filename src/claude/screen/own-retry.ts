import type { Clock } from "../limits/api-error.ts";
import { parseResetTime } from "../limits/reset-time.ts";
import type { ScreenRows } from "./prompt-screen.ts";
import { retryLine } from "./screen-texts.ts";

/** The client waits inside its process and then repeats its request. */
export interface ShownRetry {
  readonly why: "limit" | "server";
  /** Milliseconds since 1970. */
  readonly until: number;
}

const minuteMs = 60_000;
const unitMs: Readonly<Record<string, number>> = { d: 24 * 60 * minuteMs, h: 60 * minuteMs, m: minuteMs, s: 1_000 };

/** Reads the line in which the client counts down to its next request. */
export function readShownRetry({ all }: ScreenRows, clock: Clock): ShownRetry | undefined {
  for (const row of all.toReversed()) {
    const { left, reset, attempt, maxAttempts, limit } = retryLine.exec(row)?.groups ?? {};
    if (left === undefined) continue;
    const countdownEnd = clock.now + durationOf(left);
    if (limit === undefined) {
      // Within its usual attempts the client is only slow.
      return Number(attempt) > Number(maxAttempts) ? { why: "server", until: countdownEnd } : undefined;
    }
    // The countdown has the seconds, but is at most six hours long.
    const stated = reset === undefined ? undefined : parseResetTime(`resets ${reset}`, clock);
    return { why: "limit", until: stated && stated > countdownEnd + minuteMs ? stated : countdownEnd };
  }
  return undefined;
}

const durationOf = (text: string): number =>
  [...text.matchAll(/(\d+)([dhms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ""] ?? 0),
    0,
  );

import type { SpecialLimit } from "./final-error.ts";

const dayMs = 24 * 3_600_000;
/** The longest usage limit lasts a week; a reset further ahead is a mistake, and its date may not even exist. */
export const maxLimitMs = 8 * dayMs;
/** A spend limit lasts a month. */
const maxSpendLimitMs = 32 * dayMs;
/**
 * The clocks of the API and of this machine may differ by a moment. A started claude needs most of a second more to its first
 * request.
 */
const resetMarginMs = 500;
/** Pauses before the next attempts when a limit is still there after its reset; the last one repeats. */
const retryPausesMs = [15_000, 60_000, 300_000];

/** What is known about a limit. Times are milliseconds since 1970. */
export interface LimitFacts {
  readonly now: number;
  /** As Claude reported it; null when it did not. */
  readonly resetsAt: number | null;
  readonly of?: SpecialLimit | undefined;
  /** As another run of the account reported it; null when none did. */
  readonly knownLimit: number | null;
  /** Milliseconds to wait when the reset is unknown. */
  readonly unknownLimit: number;
  /** Earlier waits in a row for this limit, without an answer in between. */
  readonly repeats: number;
}

export interface LimitWait {
  /** When the limit is expected to be over; in the past when its reset has passed. */
  readonly endsAt: number;
  /** When to try again. */
  readonly until: number;
  /** False when `endsAt` is a guess. */
  readonly known: boolean;
}

/** The latest reset that is credible; a later one counts as unknown. */
export const latestReset = (now: number, of?: SpecialLimit): number =>
  now + (of === "spend" ? maxSpendLimitMs : maxLimitMs);

/** How long to wait after a limit. Runs, cclaude and hosts all use this rule. */
export function decideLimitWait({ now, resetsAt, of, knownLimit, unknownLimit, repeats }: LimitFacts): LimitWait {
  const shared = waitForKnownLimit(knownLimit, now);
  if (resetsAt === null || resetsAt > latestReset(now, of)) {
    if (shared) return shared;
    const endsAt = now + unknownLimit;
    return { endsAt, until: endsAt, known: false };
  }
  const isStillThere = repeats > 0 && resetsAt <= now;
  const end = isStillThere ? now + (retryPausesMs[repeats - 1] ?? retryPausesMs.at(-1) ?? 0) : resetsAt;
  const endsAt = Math.max(end, shared?.endsAt ?? end);
  const until = Math.max(end, resetsAt + resetMarginMs, now, shared?.until ?? now);
  return { endsAt, until, known: true };
}

/** The wait for a limit that another run reported; undefined when that limit is over or not credible. */
export function waitForKnownLimit(knownLimit: number | null, now: number): LimitWait | undefined {
  if (knownLimit === null || knownLimit <= now || knownLimit > latestReset(now)) return undefined;
  return { endsAt: knownLimit, until: knownLimit + resetMarginMs, known: true };
}

import type { Usage, UsageWindow } from "../checkpoint/usage.ts";

/** The usage of an account at one time, in milliseconds since 1970. */
export interface UsageSample {
  readonly time: number;
  readonly usage: Usage;
}

export interface WindowForecast {
  readonly window: UsageWindow;
  readonly percent: number;
  readonly resetsAt: number | null;
  /** Percent per hour, of the last hour; null when there are too few samples. */
  readonly perHour: number | null;
  /** When 100 % is reached at this rate, if that is before the reset; else null. */
  readonly fullAt: number | null;
}

const hourMs = 3_600_000;
/** A rate over less time says little. */
const minSpanMs = 2 * 60_000;
/** Reports of one reset differ slightly. */
const sameResetMs = 30 * 60_000;
const windows: readonly UsageWindow[] = ["five_hour", "seven_day"];

/** Where the windows stand now. A window that has reset since its last report is empty. */
export function forecastUsage(samples: readonly UsageSample[], now: number): WindowForecast[] {
  return windows.flatMap((window): WindowForecast[] => {
    const all = samples.flatMap(({ time, usage }) => (usage[window] ? [{ time, ...usage[window] }] : []));
    const last = all.at(-1);
    if (!last) return [];
    const { percent, resetsAt, time } = last;
    if (resetsAt !== null && resetsAt <= now) {
      return [{ window, percent: 0, resetsAt: null, perHour: null, fullAt: null }];
    }
    const isSameWindow = (other: number | null): boolean =>
      resetsAt === null || other === null ? resetsAt === other : Math.abs(other - resetsAt) < sameResetMs;
    const first = all.find((sample) => sample.time >= time - hourMs && isSameWindow(sample.resetsAt));
    const span = first ? time - first.time : 0;
    const perHour = first && span >= minSpanMs ? ((percent - first.percent) / span) * hourMs : null;
    const reaches = perHour !== null && perHour > 0 ? time + ((100 - percent) / perHour) * hourMs : null;
    const fullAt = reaches !== null && (resetsAt === null || reaches < resetsAt) ? Math.max(reaches, now) : null;
    return [{ window, percent, resetsAt, perHour, fullAt }];
  });
}

/** The shortest time between two samples that are kept, and how many are kept. */
const sampleIntervalMs = 60_000;
const maxSamples = 500;

/** The samples with a new one; a sample soon after the last one replaces it. */
export function addSample(samples: readonly UsageSample[], sample: UsageSample): UsageSample[] {
  const before = samples.at(-2);
  const last = samples.at(-1);
  // A clock that was set back starts anew.
  if (last && last.time > sample.time) return [sample];
  const isSoon = last !== undefined && before !== undefined && sample.time - before.time < sampleIntervalMs;
  return [...(isSoon ? samples.slice(0, -1) : samples), sample].slice(-maxSamples);
}

/** The used share of a window at equal intervals, newest last; null where nothing is known yet. */
export function sampleWindow(
  samples: readonly UsageSample[],
  window: UsageWindow,
  { now, spanMs, count }: { readonly now: number; readonly spanMs: number; readonly count: number },
): (number | null)[] {
  return Array.from({ length: count }, (_, index) => {
    const end = now - spanMs + ((index + 1) * spanMs) / count;
    const known = samples.findLast(({ time, usage }) => time <= end && usage[window] !== undefined)?.usage[window];
    if (!known) return null;
    return known.resetsAt !== null && known.resetsAt <= end ? 0 : known.percent;
  });
}

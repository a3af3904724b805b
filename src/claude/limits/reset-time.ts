import type { Clock } from "./api-error.ts";
import { readStatedReset, type ResetDay } from "./reset-wordings.ts";
import { asUtc, isZone, type WallClock, Zone } from "../../core/wall-clock.ts";

/**
 * When a limit ends, by the client's text: `resets 2:50am (UTC)`, `resets Nov 19, 12:48pm (America/New_York)`, a weekday, a
 * timestamp or a duration. A time without a zone is in the clock's zone. The result is neither in the past nor after
 * `latestReset`; undefined when the text states no such time.
 */
export function parseResetTime(text: string, { now, zone, latestReset }: Clock): number | undefined {
  const times = timesIn(text, now, zone).filter((time) => time >= now - justPassedMs && time <= latestReset);
  return times.length > 0 ? Math.max(now, Math.min(...times)) : undefined;
}

/** The text has no seconds, and time passes until it is read: a reset that has just passed means now. */
const justPassedMs = 2 * 60_000;

function timesIn(text: string, now: number, localZone: string): number[] {
  const stated = readStatedReset(text);
  switch (stated?.kind) {
    case undefined:
      return [];
    case "instant":
      return [stated.time];
    case "after":
      return [now + stated.duration];
    case "clock": {
      const zone = new Zone(isZone(stated.zone) ? stated.zone : localZone);
      const { hour, minute } = stated;
      return daysFrom(zone.show(now))
        .filter((date, index) => isStatedDay(stated.day, date, index - 1))
        .flatMap((date) => zone.instants({ ...date, hour, minute }));
    }
  }
}

/** Yesterday to a month ahead. Counted on the calendar, because a day with a clock change does not have 24 hours. */
const daysFrom = (today: WallClock): WallClock[] =>
  Array.from({ length: 34 }, (_, index) => {
    const date = new Date(asUtc({ ...today, day: today.day + index - 1, hour: 0, minute: 0 }));
    return { ...today, year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
  });

function isStatedDay(day: ResetDay, date: WallClock, daysAhead: number): boolean {
  switch (day.kind) {
    case "any":
      return true;
    case "ahead":
      return daysAhead === day.days;
    case "weekday":
      return new Date(asUtc(date)).getUTCDay() === day.weekday;
    case "date":
      return date.month === day.month && date.day === day.day && (day.year ?? date.year) === date.year;
  }
}

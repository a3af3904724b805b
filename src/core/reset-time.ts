import { readSpokenTime, type SpokenDay } from "./reset-words.ts";
import { asUtc, isZone, type WallClock, Zone } from "./wall-clock.ts";

const furthest = 8 * 24 * 3_600_000;

/**
 * When a limit ends, by the words of the client: `resets 2:50am (UTC)`, `resets Nov 19, 12:48pm (America/New_York)`, a weekday,
 * a stamp, or how long it takes; without a zone it is `localZone`. Never in the past and never more than eight days ahead;
 * undefined when the words do not say.
 */
export function parseResetTime(text: string, now: number, localZone: string): number | undefined {
  const times = timesIn(text, now, localZone)
    // The words have no seconds: a time of this very minute is not yesterday's.
    .filter((time) => time >= now - 60_000 && time <= now + furthest);
  return times.length > 0 ? Math.max(now, Math.min(...times)) : undefined;
}

function timesIn(text: string, now: number, localZone: string): number[] {
  const spoken = readSpokenTime(text);
  switch (spoken?.kind) {
    case undefined:
      return [];
    case "instant":
      return [spoken.time];
    case "after":
      return [now + spoken.duration];
    case "clock": {
      const zone = new Zone(isZone(spoken.zone) ? spoken.zone : localZone);
      const { hour, minute } = spoken;
      return daysFrom(zone.show(now))
        .filter((date, index) => isMeant(spoken.day, date, index - 1))
        .flatMap((date) => zone.instants({ ...date, hour, minute }));
    }
  }
}

/** Yesterday, today, and all that can be meant. Counted on the calendar: with a change of clocks a day has not 24 hours. */
const daysFrom = (today: WallClock): WallClock[] =>
  Array.from({ length: 11 }, (_, index) => {
    const date = new Date(asUtc({ ...today, day: today.day + index - 1, hour: 0, minute: 0 }));
    return { ...today, year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
  });

function isMeant(day: SpokenDay, date: WallClock, ahead: number): boolean {
  switch (day.kind) {
    case "any":
      return true;
    case "ahead":
      return ahead === day.days;
    case "weekday":
      return new Date(asUtc(date)).getUTCDay() === day.weekday;
    case "date":
      return date.month === day.month && date.day === day.day && (day.year ?? date.year) === date.year;
  }
}

import { asUtc, isZone, type WallClock, Zone } from "../wall-clock.ts";

export type Moment =
  { readonly kind: "time"; readonly time: number } | { readonly kind: "problem"; readonly problem: string };

export interface TimeContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The time zone of words that name none. */
  readonly zone: string;
}

const examples = "22:00, 6:30pm, tomorrow 6am, monday 9:00, 2026-12-01T08:00, 2h";
const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs };
/** A moment further ahead is a mistake. */
const maxAheadMs = 366 * dayMs;
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/**
 * Reads a moment in a user's words: a clock time (the next one), with a day, a date, an ISO time or a duration. A time that the
 * clocks skip is the moment it would have been; of a time that comes twice, the first one that is still ahead counts.
 */
export function readMoment(text: string, context: TimeContext): Moment {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  const after = durationOf(words);
  if (after !== undefined) return checked(text, [context.now + after], context.now);
  const instant = instantOf(text.trim());
  if (instant !== undefined) return checked(text, [instant], context.now);
  const { rest, zone } = splitZone(text.trim().replace(/\s+/g, " "), context.zone);
  const stated = readStated(rest.toLowerCase());
  if (!stated) return { kind: "problem", problem: `"${shorten(text)}" is not a time; use for example ${examples}` };
  if (!stated.clock) {
    return { kind: "problem", problem: `"${shorten(text)}" has no time of day; add one, such as "${rest} 6am"` };
  }
  const { clock } = stated;
  const times = daysOf(stated.day, new Zone(zone), context.now).flatMap((date) =>
    new Zone(zone).instants({ ...date, ...clock }),
  );
  return checked(text, times, context.now);
}

/** The first of the times that is ahead. */
function checked(text: string, times: readonly number[], now: number): Moment {
  const time = times.filter((each) => each >= now).sort((a, b) => a - b)[0];
  if (time === undefined) return { kind: "problem", problem: `"${shorten(text)}" is in the past` };
  if (time - now > maxAheadMs) return { kind: "problem", problem: `"${shorten(text)}" is more than a year ahead` };
  return { kind: "time", time };
}

const shorten = (text: string): string => text.slice(0, 40);

/** `2h`, `in 1h30m`, `+90m`. */
function durationOf(words: string): number | undefined {
  if (words === "now") return 0;
  const match = /^(?:in |\+)?((?:\d{1,5}[smhdw] ?)+)$/.exec(words);
  if (!match) return undefined;
  return [...(match[1] ?? "").matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ""] ?? 0),
    0,
  );
}

/** An ISO time with its own offset: `2026-12-01T08:00Z`, `2026-12-01 08:00:30+01:00`. */
function instantOf(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2})?)\s?([Zz]|[+-]\d{2}:?\d{2})$/.exec(text);
  if (!match) return undefined;
  const [, date = "", clock = "", offset = ""] = match;
  const zone = /^z$/i.test(offset) ? "Z" : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
  const time = Date.parse(`${date}T${clock}${zone}`);
  // Date.parse accepts the 30th of February.
  return Number.isNaN(time) || !isDate(date) ? undefined : time;
}

function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** A zone may be the last word: `22:00 Europe/Berlin`, `6am UTC`. */
function splitZone(text: string, zone: string): { readonly rest: string; readonly zone: string } {
  const at = text.lastIndexOf(" ");
  const last = text.slice(at + 1);
  const isNamed = at > 0 && /^(?:[A-Za-z_]+\/[A-Za-z_/+-]+|utc|gmt)$/i.test(last) && isZone(last);
  return isNamed ? { rest: text.slice(0, at), zone: last } : { rest: text, zone };
}

type Day =
  | { readonly kind: "next" }
  | { readonly kind: "ahead"; readonly days: number }
  | { readonly kind: "weekday"; readonly weekday: number }
  | { readonly kind: "date"; readonly year: number; readonly month: number; readonly day: number };

type ClockTime = Pick<WallClock, "hour" | "minute">;

function readStated(words: string): { readonly day: Day; readonly clock: ClockTime | undefined } | undefined {
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[t ](?:at )?(.+))?$/.exec(words);
  if (iso) return withClock(dateOf(iso[1] ?? ""), iso[2]);
  const [first = "", ...rest] = words.split(" ");
  const leading = dayOf(first);
  if (leading) return withClock(leading, rest.length === 0 ? undefined : rest.join(" ").replace(/^at /, ""));
  const at = words.lastIndexOf(" ");
  const trailing = at < 0 ? undefined : dayOf(words.slice(at + 1));
  if (trailing) return withClock(trailing, words.slice(0, at));
  return withClock({ kind: "next" }, words.replace(/^at /, ""));
}

/** Undefined when the clock time cannot be read; a day without one is told apart from that. */
function withClock(day: Day | undefined, text: string | undefined): ReturnType<typeof readStated> {
  if (!day) return undefined;
  if (text === undefined) return { day, clock: undefined };
  const clock = clockOf(text.trim());
  return clock && { day, clock };
}

function dayOf(word: string): Day | undefined {
  if (word === "today" || word === "tonight") return { kind: "ahead", days: 0 };
  if (word === "tomorrow") return { kind: "ahead", days: 1 };
  const weekday = weekdays.findIndex((name) => name === word || name.slice(0, 3) === word);
  return weekday < 0 ? undefined : { kind: "weekday", weekday };
}

function dateOf(text: string): Day | undefined {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  return isDate(text) ? { kind: "date", year, month: month - 1, day } : undefined;
}

function clockOf(text: string): ClockTime | undefined {
  if (text === "noon") return { hour: 12, minute: 0 };
  if (text === "midnight") return { hour: 0, minute: 0 };
  const match = /^(\d{1,2})(?::(\d{2}))?(?::00)? ?(am|pm)?$/.exec(text);
  if (!match) return undefined;
  const [hour, minute] = [Number(match[1]), Number(match[2] ?? 0)];
  const half = match[3];
  if (minute > 59) return undefined;
  if (half === undefined) return match[2] !== undefined && hour < 24 ? { hour, minute } : undefined;
  return hour >= 1 && hour <= 12 ? { hour: (hour % 12) + (half === "pm" ? 12 : 0), minute } : undefined;
}

/** The dates that a day may mean. Counted on the calendar, because a day with a clock change does not have 24 hours. */
function daysOf(day: Day, zone: Zone, now: number): WallClock[] {
  const today = zone.show(now);
  const ahead = (days: number): WallClock => {
    const date = new Date(asUtc({ ...today, day: today.day + days, hour: 0, minute: 0 }));
    return { ...today, year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
  };
  switch (day.kind) {
    case "next":
      return [0, 1, 2].map(ahead);
    case "ahead":
      return [ahead(day.days)];
    case "weekday":
      return Array.from({ length: 8 }, (_, index) => ahead(index)).filter(
        (date) => new Date(asUtc(date)).getUTCDay() === day.weekday,
      );
    case "date":
      return [{ ...today, year: day.year, month: day.month, day: day.day }];
  }
}

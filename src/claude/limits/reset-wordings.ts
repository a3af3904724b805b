import type { Variables } from "../../core/variables.ts";

export type ResetDay =
  | { readonly kind: "any" }
  | { readonly kind: "ahead"; readonly days: number }
  /** 0 is Sunday. */
  | { readonly kind: "weekday"; readonly weekday: number }
  /** `month`: 0 to 11. */
  | { readonly kind: "date"; readonly year: number | undefined; readonly month: number; readonly day: number };

/** A reset time as the text states it, before it is resolved to a moment. */
export type StatedReset =
  /** Milliseconds since 1970. */
  | { readonly kind: "instant"; readonly time: number }
  /** Milliseconds from now. */
  | { readonly kind: "after"; readonly duration: number }
  | {
      readonly kind: "clock";
      readonly day: ResetDay;
      readonly hour: number;
      readonly minute: number;
      readonly zone: string | undefined;
    };

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

/** The words before a reset time. A new wording is one new line; the test checks its example. */
export const resetOpenings: readonly (readonly [words: string, seenIn: string, example: string])[] = [
  ["resets?", "1.0.128-2.1.326", "You've hit your session limit · resets 2:28am (UTC)"],
  ["continuing automatically", "2.1.238-2.1.326", "Usage limit reached · continuing automatically at 2:21am"],
  ["regain access", "2.1.36-2.1.326", "You will regain access on 2026-11-20 at 00:00 UTC."],
  ["try again", "errors of proxies and services", "Please try again in 5 minutes."],
];

const opening = String.raw`\b(?:${resetOpenings.map(([words]) => words).join("|")})\s+`;
const zone = String.raw`(?:\s*(?:\((?<zone>[A-Za-z0-9_+\-/:]+)\)|(?<utc>UTC|GMT)\b))?`;
const part = String.raw`\d+(?:\.\d+)?\s*(?:d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)(?![a-z])`;
const dayNames = String.raw`(?<month>${months.join("|")})[a-z]*\.?\s+(?<date>\d{1,2})(?:,\s*(?<year>\d{4}))?|(?<weekday>${weekdays.join("|")})[a-z]*|(?<ahead>today|tomorrow)`;
const pattern = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "i");

const epoch = pattern(String.raw`(?:\|\s*|${opening}(?:at\s+)?)(?<epoch>\d{13}|\d{10})(?!\d)`);
const relative = pattern(opening, String.raw`in\s+(?<parts>${part}(?:(?:[\s,]*|\s+and\s+)${part})*)`);
const iso = pattern(
  opening,
  String.raw`(?:at\s+|on\s+)?(?<year>\d{4})-(?<month>\d\d)-(?<date>\d\d)(?:[T ]|\s+at\s+)(?<hour>\d\d):(?<minute>\d\d)`,
  String.raw`(?::(?<second>\d\d)(?:\.\d+)?)?(?<offset>Z|[+-]\d\d:?\d\d)?`,
  zone,
);
const clock = pattern(
  opening,
  String.raw`(?:on\s+)?(?:(?:${dayNames}),?\s+)?(?:at\s+)?`,
  String.raw`(?:(?<half>\d{1,2})(?::(?<halfMinute>\d\d))?\s*(?<noon>[ap])\.?m\b\.?|(?<hour>\d{1,2}):(?<minute>\d\d)(?!\s*[ap]\.?m|\d))`,
  zone,
);

/** Spend limits of gateways end with a day in UTC. */
const dayOnly = pattern(
  opening,
  String.raw`(?:on\s+)?(?<month>${months.join("|")})[a-z]*\.?\s+(?<date>\d{1,2})(?:,\s*(?<year>\d{4}))?(?!\d|,?\s+(?:at\s+)?\d)`,
);

type Groups = Readonly<Variables>;

/** The first reset time in the text. The caller checks whether it is plausible. */
export function readStatedReset(text: string): StatedReset | undefined {
  for (const { pattern: shape, read } of resetForms) {
    const groups = shape.exec(text)?.groups;
    if (groups) return read(groups);
  }
  return undefined;
}

interface ResetForm {
  readonly pattern: RegExp;
  readonly seenIn: string;
  readonly example: string;
  readonly read: (groups: Groups) => StatedReset | undefined;
}

/** The forms of a reset time, in the order in which they are tried. */
export const resetForms: readonly ResetForm[] = [
  {
    pattern: epoch,
    seenIn: "1.0.50",
    example: "Claude AI usage limit reached|1794844800",
    read: ({ epoch: digits = "" }) => ({
      kind: "instant",
      time: Number(digits) * (digits.length === 10 ? 1_000 : 1),
    }),
  },
  {
    pattern: relative,
    seenIn: "errors of proxies and services",
    example: "resets in 3 hours 20 minutes",
    read: ({ parts = "" }) => ({ kind: "after", duration: durationOf(parts) }),
  },
  {
    pattern: iso,
    seenIn: "errors of proxies and services",
    example: "resets at 2026-11-19T12:48:00.000+01:00",
    read: readIso,
  },
  { pattern: clock, seenIn: "1.0.128-2.1.326", example: "resets Nov 19, 12:48pm (UTC)", read: readClock },
  {
    pattern: dayOnly,
    seenIn: "2.1.326",
    example: "spend limit reached · resets Nov 20 · request an increase",
    read: (groups) => ({ kind: "clock", day: dayIn(groups), hour: 0, minute: 0, zone: "UTC" }),
  },
];

const durationOf = (parts: string): number =>
  [...parts.matchAll(/([\d.]+)\s*([a-z])/gi)].reduce(
    (sum, [, count, unit = ""]) => sum + Math.round(Number(count) * (unitMs[unit.toLowerCase()] ?? 0)),
    0,
  );

function readIso(groups: Groups): StatedReset | undefined {
  const { year, month, date, hour, minute, second = "00", offset } = groups;
  const time = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}${offset ?? "Z"}`);
  if (Number.isNaN(time)) return undefined;
  if (offset !== undefined) return { kind: "instant", time };
  const day = { kind: "date", year: Number(year), month: Number(month) - 1, day: Number(date) } as const;
  return { kind: "clock", day, hour: Number(hour), minute: Number(minute), zone: zoneIn(groups) };
}

function readClock(groups: Groups): StatedReset | undefined {
  const { half, halfMinute = 0, noon } = groups;
  const isHalf = half !== undefined;
  const hour = isHalf ? (Number(half) % 12) + (noon?.toLowerCase() === "p" ? 12 : 0) : Number(groups["hour"]);
  const minute = Number(isHalf ? halfMinute : groups["minute"]);
  if (hour > 23 || minute > 59 || (isHalf && (Number(half) < 1 || Number(half) > 12))) return undefined;
  return { kind: "clock", day: dayIn(groups), hour, minute, zone: zoneIn(groups) };
}

function dayIn({ month, date, year, weekday, ahead }: Groups): ResetDay {
  if (ahead !== undefined) return { kind: "ahead", days: ahead.toLowerCase() === "today" ? 0 : 1 };
  if (weekday !== undefined) return { kind: "weekday", weekday: weekdays.indexOf(weekday.toLowerCase()) };
  if (month === undefined) return { kind: "any" };
  const named = { month: months.indexOf(month.toLowerCase()), day: Number(date) };
  return { kind: "date", year: year === undefined ? undefined : Number(year), ...named };
}

const zoneIn = ({ zone: named, utc }: Groups): string | undefined => named ?? utc;

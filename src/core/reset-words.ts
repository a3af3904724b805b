export type SpokenDay =
  | { readonly kind: "any" }
  | { readonly kind: "ahead"; readonly days: number }
  /** From Sunday, 0. */
  | { readonly kind: "weekday"; readonly weekday: number }
  /** `month`: 0 to 11. */
  | { readonly kind: "date"; readonly year: number | undefined; readonly month: number; readonly day: number };

/** A time as words have it, before it is known which moment they mean. */
export type SpokenTime =
  /** Milliseconds since 1970. */
  | { readonly kind: "instant"; readonly time: number }
  /** Milliseconds from now. */
  | { readonly kind: "after"; readonly duration: number }
  | {
      readonly kind: "clock";
      readonly day: SpokenDay;
      readonly hour: number;
      readonly minute: number;
      readonly zone: string | undefined;
    };

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const lengths: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

const opening = String.raw`\b(?:resets?|try again|continuing automatically)\s+`;
const zone = String.raw`(?:\s*(?:\((?<zone>[A-Za-z0-9_+\-/:]+)\)|(?<utc>UTC|GMT)\b))?`;
const part = String.raw`\d+(?:\.\d+)?\s*(?:d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)(?![a-z])`;
const dayNames = String.raw`(?<month>${months.join("|")})[a-z]*\.?\s+(?<date>\d{1,2})(?:,\s*(?<year>\d{4}))?|(?<weekday>${weekdays.join("|")})[a-z]*|(?<ahead>today|tomorrow)`;
const pattern = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "i");

const epoch = pattern(String.raw`(?:\|\s*|${opening}(?:at\s+)?)(?<epoch>\d{13}|\d{10})(?!\d)`);
const relative = pattern(opening, String.raw`in\s+(?<parts>${part}(?:(?:[\s,]*|\s+and\s+)${part})*)`);
const iso = pattern(
  opening,
  String.raw`(?:at\s+|on\s+)?(?<year>\d{4})-(?<month>\d\d)-(?<date>\d\d)[T ](?<hour>\d\d):(?<minute>\d\d)`,
  String.raw`(?::(?<second>\d\d)(?:\.\d+)?)?(?<offset>Z|[+-]\d\d:?\d\d)?`,
  zone,
);
const clock = pattern(
  opening,
  String.raw`(?:on\s+)?(?:(?:${dayNames}),?\s+)?(?:at\s+)?`,
  String.raw`(?:(?<half>\d{1,2})(?::(?<halfMinute>\d\d))?\s*(?<noon>[ap])\.?m\b\.?|(?<hour>\d{1,2}):(?<minute>\d\d)(?!\s*[ap]\.?m|\d))`,
  zone,
);

type Groups = Readonly<Record<string, string | undefined>>;

/** The first time that the words tell; whether it can be meant is the caller's to see. */
export function readSpokenTime(text: string): SpokenTime | undefined {
  for (const [shape, read] of readers) {
    const groups = shape.exec(text)?.groups;
    if (groups) return read(groups);
  }
  return undefined;
}

const readers: readonly (readonly [RegExp, (groups: Groups) => SpokenTime | undefined])[] = [
  [epoch, ({ epoch: digits = "" }) => ({ kind: "instant", time: Number(digits) * (digits.length === 10 ? 1_000 : 1) })],
  [relative, ({ parts = "" }) => ({ kind: "after", duration: durationOf(parts) })],
  [iso, readIso],
  [clock, readClock],
];

const durationOf = (parts: string): number =>
  [...parts.matchAll(/([\d.]+)\s*([a-z])/gi)].reduce(
    (sum, [, count, unit = ""]) => sum + Math.round(Number(count) * (lengths[unit.toLowerCase()] ?? 0)),
    0,
  );

function readIso(groups: Groups): SpokenTime | undefined {
  const { year, month, date, hour, minute, second = "00", offset } = groups;
  const time = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}${offset ?? "Z"}`);
  if (Number.isNaN(time)) return undefined;
  if (offset !== undefined) return { kind: "instant", time };
  const day = { kind: "date", year: Number(year), month: Number(month) - 1, day: Number(date) } as const;
  return { kind: "clock", day, hour: Number(hour), minute: Number(minute), zone: zoneIn(groups) };
}

function readClock(groups: Groups): SpokenTime | undefined {
  const { half, halfMinute = 0, noon } = groups;
  const isHalf = half !== undefined;
  const hour = isHalf ? (Number(half) % 12) + (noon?.toLowerCase() === "p" ? 12 : 0) : Number(groups["hour"]);
  const minute = Number(isHalf ? halfMinute : groups["minute"]);
  if (hour > 23 || minute > 59 || (isHalf && (Number(half) < 1 || Number(half) > 12))) return undefined;
  return { kind: "clock", day: dayIn(groups), hour, minute, zone: zoneIn(groups) };
}

function dayIn({ month, date, year, weekday, ahead }: Groups): SpokenDay {
  if (ahead !== undefined) return { kind: "ahead", days: ahead.toLowerCase() === "today" ? 0 : 1 };
  if (weekday !== undefined) return { kind: "weekday", weekday: weekdays.indexOf(weekday.toLowerCase()) };
  if (month === undefined) return { kind: "any" };
  const named = { month: months.indexOf(month.toLowerCase()), day: Number(date) };
  return { kind: "date", year: year === undefined ? undefined : Number(year), ...named };
}

const zoneIn = ({ zone: named, utc }: Groups): string | undefined => named ?? utc;

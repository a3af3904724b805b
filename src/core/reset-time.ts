const hourLength = 3_600_000;
const day = 24 * hourLength;
const furthest = 8 * day;

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const shape =
  /\bresets?\s+(?:at\s+)?(?:([A-Z][a-z]{2})[a-z]*\s+(\d{1,2})(?:,\s*(\d{4}))?,?\s+(?:at\s+)?)?(\d{1,2})(?::(\d{2}))?\s*([ap])m(?:\s*\(([A-Za-z0-9_+\-/]+)\))?/i;

interface WallClock {
  readonly year: number;
  /** 0 to 11. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/**
 * When a limit ends, by the words of the client: `resets 2:50am (UTC)`, `resets Nov 19, 12:48pm (America/New_York)`; without a
 * zone it is `localZone`. Never in the past and never more than eight days ahead; undefined when the words do not say.
 */
export function parseResetTime(text: string, now: number, localZone: string): number | undefined {
  const match = shape.exec(text);
  if (!match) return undefined;
  const [, month, date, year, hourText, minuteText, half, zoneText] = match;
  const hour = (Number(hourText) % 12) + (half?.toLowerCase() === "p" ? 12 : 0);
  const minute = Number(minuteText ?? 0);
  if (Number(hourText) < 1 || Number(hourText) > 12 || minute > 59) return undefined;
  const zone = isZone(zoneText) ? zoneText : localZone;
  const today = wallClock(now, zone);
  const candidates = month
    ? datedCandidates(months.indexOf(month.toLowerCase()), Number(date), year ? Number(year) : undefined, today)
    : [today, wallClock(now + day, zone)];
  const times = candidates
    .flatMap((at) => instantsOf({ ...at, hour, minute }, zone))
    // The words have no seconds: a time of this very minute is not yesterday's.
    .filter((time) => time >= now - 60_000 && time <= now + furthest);
  return times.length > 0 ? Math.max(now, Math.min(...times)) : undefined;
}

/** A date without a year is the next one of that name; in December, January is next year's. */
function datedCandidates(month: number, date: number, year: number | undefined, today: WallClock): WallClock[] {
  if (month < 0 || date < 1 || date > 31) return [];
  const years = year === undefined ? [today.year, today.year + 1] : [year];
  const { hour, minute } = today;
  return years.map((each) => ({ year: each, month, day: date, hour, minute }));
}

function isZone(name: string | undefined): name is string {
  if (name === undefined) return false;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function wallClock(time: number, zone: string): WallClock {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return {
    year: part("year"),
    month: part("month") - 1,
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
  };
}

/** Two when the clock shows the time twice, at the end of summer time. */
function instantsOf(at: WallClock, zone: string): number[] {
  const time = instantOf(at, zone);
  const twins = [time - hourLength, time + hourLength].filter((twin) => {
    const shown = wallClock(twin, zone);
    return shown.hour === at.hour && shown.minute === at.minute;
  });
  return [time, ...twins];
}

/** A zone's offset depends on the moment that is looked for: guessed once, and corrected twice for a change of clocks. */
function instantOf(at: WallClock, zone: string): number {
  const wanted = Date.UTC(at.year, at.month, at.day, at.hour, at.minute);
  let time = wanted;
  for (let round = 0; round < 3; round++) {
    const shown = wallClock(time, zone);
    const error = wanted - Date.UTC(shown.year, shown.month, shown.day, shown.hour, shown.minute);
    if (error === 0) break;
    time += error;
  }
  return time;
}

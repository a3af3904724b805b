/** A local date and time in one time zone. */
export interface WallClock {
  readonly year: number;
  /** 0 to 11. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const dayMs = 24 * 3_600_000;

export function isZone(name: string | undefined): name is string {
  if (name === undefined) return false;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** One time zone, with its daylight saving time. */
export class Zone {
  readonly #format: Intl.DateTimeFormat;

  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
  }

  /** `time` in milliseconds since 1970. */
  show(time: number): WallClock {
    const parts = new Map(this.#format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return {
      year: part("year"),
      month: part("month") - 1,
      day: part("day"),
      hour: part("hour"),
      minute: part("minute"),
    };
  }

  /**
   * The moments at which the zone's clock shows this time: usually one, two when clocks go back. For a time skipped when clocks
   * go forward, the moment it would have been without the change.
   */
  instants(at: WallClock): number[] {
    const wanted = asUtc(at);
    // Clocks change at most once in two days, so one of these two offsets is the right one.
    const before = this.#offset(wanted - dayMs);
    const times = new Set([wanted - before, wanted - this.#offset(wanted + dayMs)]);
    const shown = [...times].filter((time) => asUtc(this.show(time)) === wanted);
    return shown.length > 0 ? shown : [wanted - before];
  }

  #offset(time: number): number {
    return asUtc(this.show(time)) - time;
  }
}

/** A day past the end of the month becomes a day of the next month. */
export const asUtc = ({ year, month, day, hour, minute }: WallClock): number =>
  Date.UTC(year, month, day, hour, minute);

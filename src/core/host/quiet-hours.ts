/** Minutes of the day; `to` may be on the next day. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
}

const minutesPerDay = 24 * 60;

/** Reads `22:00-07:30`. Returns undefined when the text is not such a range. */
export function parseQuietHours(text: string): QuietHours | undefined {
  const match = /^\s*(\d{1,2}):(\d{2})\s*[-–]\s*(\d{1,2}):(\d{2})\s*$/.exec(text);
  if (!match) return undefined;
  const [from, to] = [minutes(match[1], match[2]), minutes(match[3], match[4])];
  return from === undefined || to === undefined || from === to ? undefined : { from, to };
}

function minutes(hour: string | undefined, minute: string | undefined): number | undefined {
  const all = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && all <= minutesPerDay ? all % minutesPerDay : undefined;
}

export function isQuiet({ from, to }: QuietHours, minute: number): boolean {
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** Milliseconds until the quiet hours end. */
export const quietUntil = ({ to }: QuietHours, minute: number): number =>
  ((to - minute + minutesPerDay) % minutesPerDay) * 60_000;

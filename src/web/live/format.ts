export { formatDuration } from "../../core/duration.ts";

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });

/** `14:05`, or with the day when it is not today. */
export function formatMoment(time: number, now: number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday ? clock.format(date) : `${day.format(date)} ${clock.format(date)}`;
}

/** `43k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 1_000) return String(Math.round(count));
  return count < 999_500 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

export const formatDollars = (usd: number): string => `$${usd.toFixed(2)}`;

/** `~/shop` for a directory below the home directory. */
export const shortPath = (path: string, home: string): string =>
  path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

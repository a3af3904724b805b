export { formatDuration } from "../core/duration.ts";

const units = ["B", "kB", "MB", "GB", "TB"] as const;

/** At most four digits: `850 B`, `43.1 kB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** `950`, `43k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 999_500) return `${Math.round(count / 1_000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Local time of day, with the date when it is not the day of `now`. */
export function formatTime(time: number, now: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, "0");
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  if (date.toDateString() === new Date(now).toDateString()) return clock;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock}`;
}

/** Local time of day without seconds: `14:50`, `Thu 19 Nov 12:48`. */
export function formatClock(time: number, now: number = time): string {
  const date = new Date(time);
  const clock = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (date.toDateString() === new Date(now).toDateString()) return clock;
  return `${date.toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short" }).replace(",", "")} ${clock}`;
}

const shape = /^\d{8}-\d{6}-[a-z0-9]{4}$/;
/** Without those that are taken for one another. */
const letters = "abcdefghjkmnpqrstuvwxyz23456789";

/** Sorts by time, in UTC, and can be said aloud: `20261117-085512-k3f9`. `random` gives numbers from 0 up to, not including, 1. */
export function makeRunId(now: number, random: () => number): string {
  const [date = "", time = ""] = new Date(now).toISOString().split("T");
  const tail = Array.from({ length: 4 }, () => letters[Math.floor(random() * letters.length)]).join("");
  return `${date.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${tail}`;
}

/** Checked before an id touches a path. */
export const isRunId = (text: string): boolean => shape.test(text);

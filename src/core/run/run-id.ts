const shape = /^\d{8}-\d{6}-[a-z0-9]{4}$/;
/** Without characters that look alike. */
const letters = "abcdefghjkmnpqrstuvwxyz23456789";

/** Sorts by its time in UTC and is easy to read aloud: `20261117-085512-k3f9`. `random` returns at least 0 and below 1. */
export function makeRunId(now: number, random: () => number): string {
  const [date = "", time = ""] = new Date(now).toISOString().split("T");
  const tail = Array.from({ length: 4 }, () => letters[Math.floor(random() * letters.length)]).join("");
  return `${date.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${tail}`;
}

/** Callers check this before they use an id in a path. */
export const isRunId = (text: string): boolean => shape.test(text);

const longest = 5 * 60_000;

/** Doubles with each attempt, the first being number 0, up to five minutes. */
export function backoff(attempt: number, first: number): number {
  return Math.min(longest, first * 2 ** Math.min(attempt, 30));
}

const maxDelayMs = 5 * 60_000;

/** Doubles with each attempt, of which the first is number 0. `random`: at least 0 and below 1; lengthens it by up to a fifth. */
export function backoff(attempt: number, firstMs: number, random = 0): number {
  return Math.round(Math.min(maxDelayMs, firstMs * 2 ** Math.min(attempt, 30) * (1 + random / 5)));
}

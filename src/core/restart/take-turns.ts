/** Between two runs that resume after the same reset. */
const intervalMs = 5_000;
/** Claude reports the reset of one limit slightly differently from time to time. */
const sameResetMs = 10 * 60_000;

/**
 * Milliseconds after the reset until it is this run's turn. Runs that wait for the same reset resume in the order of their ids,
 * the first at once. `random` (at least 0, below 1) keeps two machines with one account from resuming in step.
 */
export function turnAfterReset(
  id: string,
  until: number,
  waiting: readonly { readonly id: string; readonly until: number | null }[],
  random: number,
): number {
  const before = waiting.filter(
    (other) => other.id < id && other.until !== null && Math.abs(other.until - until) < sameResetMs,
  ).length;
  return before === 0 ? 0 : Math.round(before * intervalMs + random * 2_000);
}

/** Time between two runs that go on after the same reset. */
const interval = 5_000;
/** Resets of one limit are told a little differently from time to time. */
const sameReset = 10 * 60_000;

/**
 * How long after the reset it is this run's turn: those that wait for the same one go in the order of their ids, the first at
 * once. `random`: from 0 up to, not including, 1; so that two machines on one account do not keep step.
 */
export function turnAfterReset(
  id: string,
  until: number,
  waiting: readonly { readonly id: string; readonly until: number | null }[],
  random: number,
): number {
  const before = waiting.filter(
    (other) => other.id < id && other.until !== null && Math.abs(other.until - until) < sameReset,
  ).length;
  return before === 0 ? 0 : Math.round(before * interval + random * 2_000);
}

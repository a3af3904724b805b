import { type Usage } from "../checkpoint/usage.ts";
import { waitForKnownLimit } from "../restart/limit-wait.ts";

/** From here on a client tells Claude to wrap up, so a new task would not get far. */
const usedUpPercent = 95;

/**
 * When an account has quota again, by what is recorded: a limit that a run reported, and the usage that Claude reported. Null when
 * it has some now, or nothing is known. No request is sent to find out.
 */
export function quotaAt(knownLimit: number | null, usage: Usage, now: number): number | null {
  const windows = Object.values(usage).flatMap(({ percent, resetsAt }) =>
    percent >= usedUpPercent && resetsAt !== null ? [resetsAt] : [],
  );
  const moments = [knownLimit, ...windows].flatMap((limit) => waitForKnownLimit(limit, now)?.until ?? []);
  return moments.length === 0 ? null : Math.max(...moments);
}

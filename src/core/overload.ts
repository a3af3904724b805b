import { contextWindow } from "./context-window.ts";

/** What is known of a session's size when its process is gone. */
export interface Load {
  /** Milliseconds since the last snapshot that was not taken because the session ended; null without one. */
  readonly snapshotAge: number | null;
  /** Bytes that the transcript grew by since that snapshot. */
  readonly growth: number;
  /** What the last answered request carried; null when the transcript does not say. */
  readonly contextTokens: number | null;
}

const youngest = 10 * 60_000;
const largeGrowth = 100_000;
const full = 0.8;

/**
 * A recent snapshot and much growth since are the first hint. Bytes say little, though — one file that is read costs twice its
 * size — so where the tokens are known they decide: a process that dies with room to spare did not die of its context.
 */
export function looksOverloaded({ snapshotAge, growth, contextTokens }: Load): boolean {
  if (snapshotAge === null || snapshotAge > youngest || growth <= largeGrowth) return false;
  return contextTokens === null || contextTokens >= full * contextWindow([contextTokens]);
}

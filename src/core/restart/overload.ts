import { contextWindow } from "../snapshot/context-window.ts";

/** The size of a session whose process has ended. */
export interface SessionLoad {
  /** Milliseconds since the last snapshot taken while claude worked; null without one. */
  readonly snapshotAge: number | null;
  /** Bytes that the transcript grew since that snapshot. */
  readonly growth: number;
  /** Tokens of the last answered request; null when the transcript does not say. */
  readonly contextTokens: number | null;
}

const maxSnapshotAgeMs = 10 * 60_000;
const minGrowthBytes = 100_000;
const fullShare = 0.8;

/**
 * Much growth since a recent snapshot is the first hint. Bytes alone say little, because reading one file adds twice its size.
 * So known tokens decide: a process that dies with room left in its context did not die of it.
 */
export function looksOverloaded({ snapshotAge, growth, contextTokens }: SessionLoad): boolean {
  if (snapshotAge === null || snapshotAge > maxSnapshotAgeMs || growth <= minGrowthBytes) return false;
  return contextTokens === null || contextTokens >= fullShare * contextWindow([contextTokens]);
}

/** Seconds: no limit lasts longer, and no calendar has a day for every number. */
const longest = 8 * 24 * 3_600;

export interface RunSettings {
  /** Starts in a row without an answer, before a run gives up. */
  readonly maxAttempts: number;
  /** Milliseconds before the first restart after a crash. */
  readonly firstDelay: number;
  /** Milliseconds to wait at a limit that does not say when it ends. */
  readonly unknownLimit: number;
}

/** A value that is no number is not there. */
export function readRunSettings(variables: Record<string, string | undefined>): RunSettings {
  return {
    maxAttempts: Math.max(1, Math.floor(numberOr(variables["AI_RUNTIME_MAX_ATTEMPTS"], 10))),
    firstDelay: 1_000 * Math.min(longest, numberOr(variables["AI_RUNTIME_RETRY_SECONDS"], 10)),
    unknownLimit: 1_000 * Math.min(longest, numberOr(variables["AI_RUNTIME_WAIT_SECONDS"], 3_600)),
  };
}

function numberOr(text: string | undefined, otherwise: number): number {
  const value = text === undefined || text.trim() === "" ? otherwise : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : otherwise;
}

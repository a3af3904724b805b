/** Seconds: no limit lasts longer, and no calendar has a day for every number. */
const longest = 8 * 24 * 3_600;

export interface RunSettings {
  /** Starts in a row without an answer, before a run gives up. */
  readonly maxAttempts: number;
  /** Milliseconds before the first restart after a crash. */
  readonly firstDelay: number;
  /** Milliseconds to wait at a limit that does not say when it ends. */
  readonly unknownLimit: number;
  /** One sentence for each value that cannot be used; the usual one holds then. */
  readonly problems: readonly string[];
}

export function readRunSettings(variables: Record<string, string | undefined>): RunSettings {
  const problems: string[] = [];
  const read = (name: string, usual: number): number => {
    const text = variables[name]?.trim() ?? "";
    const value = text === "" ? usual : Number(text);
    if (Number.isFinite(value) && value >= 0) return value;
    problems.push(`${name} is no number, 0 or more: "${text.slice(0, 40)}"; ${usual} is used`);
    return usual;
  };
  return {
    maxAttempts: Math.max(1, Math.floor(read("AI_RUNTIME_MAX_ATTEMPTS", 10))),
    firstDelay: 1_000 * Math.min(longest, read("AI_RUNTIME_RETRY_SECONDS", 10)),
    unknownLimit: 1_000 * Math.min(longest, read("AI_RUNTIME_WAIT_SECONDS", 3_600)),
    problems,
  };
}

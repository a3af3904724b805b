export interface StartLimit {
  readonly burst: number;
  readonly seconds: number;
}

/** For systems that start a failing service again for ever. `starts`: the times of the last ones, with this one. */
export function isCrashLoop(starts: readonly number[], { burst, seconds }: StartLimit, now: number): boolean {
  return starts.filter((time) => time <= now && now - time < seconds * 1_000).length > burst;
}

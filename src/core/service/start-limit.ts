export interface StartLimit {
  readonly burst: number;
  readonly seconds: number;
}

/** For systems that restart a failing service without limit. `starts`: the times of the last starts, including this one. */
export function isCrashLoop(starts: readonly number[], { burst, seconds }: StartLimit, now: number): boolean {
  return starts.filter((time) => time <= now && now - time < seconds * 1_000).length > burst;
}

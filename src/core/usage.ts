export type UsageWindow = "five_hour" | "seven_day";

export interface WindowUsage {
  percent: number;
  /** Milliseconds since 1970. */
  resetsAt: number | null;
}

/** What Claude tells of its limits; a window that it does not tell of is absent. */
export type Usage = Partial<Record<UsageWindow, WindowUsage>>;

/** For which window and session a checkpoint was saved near the cap. */
export interface SavedNearCap {
  window: UsageWindow;
  resetsAt: number | null;
  sessionId: string;
}

const windows: readonly UsageWindow[] = ["five_hour", "seven_day"];
/** The same reset is told a little differently from time to time; the next window is hours away. */
const sameReset = 30 * 60_000;

/** The windows that are at the threshold and have not been saved for yet. */
export function crossings(
  usage: Usage,
  atPercent: number,
  sessionId: string,
  saved: readonly SavedNearCap[],
): { window: UsageWindow; usage: WindowUsage }[] {
  return windows.flatMap((window) => {
    const told = usage[window];
    if (!told || told.percent < atPercent) return [];
    const known = saved.some(
      (each) => each.window === window && each.sessionId === sessionId && isSameReset(each.resetsAt, told.resetsAt),
    );
    return known ? [] : [{ window, usage: told }];
  });
}

function isSameReset(left: number | null, right: number | null): boolean {
  return left === null || right === null ? left === right : Math.abs(left - right) < sameReset;
}

export const windowNames: Record<UsageWindow, string> = { five_hour: "5-hour", seven_day: "7-day" };

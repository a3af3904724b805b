export type UsageWindow = "five_hour" | "seven_day";

export interface WindowUsage {
  percent: number;
  /** Milliseconds since 1970. */
  resetsAt: number | null;
}

/** The usage that Claude reports; a window that it does not report is absent. */
export type Usage = Partial<Record<UsageWindow, WindowUsage>>;

/** A window and session for which a checkpoint was saved near the limit. */
export interface SavedNearCap {
  window: UsageWindow;
  resetsAt: number | null;
  sessionId: string;
}

/** What one report says. */
export interface UsageReport {
  sessionId: string;
  contextPercent: number | null;
  usage: Usage;
}

/** Whether a report says nothing that the recorded one does not. */
export function isSameReport(known: UsageReport, { sessionId, contextPercent, usage }: UsageReport): boolean {
  return (
    known.sessionId === sessionId &&
    known.contextPercent === contextPercent &&
    JSON.stringify({ ...known.usage, ...usage }) === JSON.stringify(known.usage)
  );
}

const windows: readonly UsageWindow[] = ["five_hour", "seven_day"];
/** Reports of one reset differ slightly; the next reset is hours away. */
const sameResetMs = 30 * 60_000;

/** The windows above the threshold without a saved checkpoint. */
export function findCrossings(
  usage: Usage,
  atPercent: number,
  sessionId: string,
  saved: readonly SavedNearCap[],
): { window: UsageWindow; usage: WindowUsage }[] {
  return windows.flatMap((window) => {
    const reported = usage[window];
    if (!reported || reported.percent < atPercent) return [];
    const known = saved.some(
      (each) => each.window === window && each.sessionId === sessionId && isSameReset(each.resetsAt, reported.resetsAt),
    );
    return known ? [] : [{ window, usage: reported }];
  });
}

/** At a lower usage no client tells Claude to wrap up. */
const minWrapUpPercent = 90;

/** The next reset of the window that is used most, when that is nearly used up; undefined when unknown. */
export function fullestReset(usage: Usage, now: number): number | undefined {
  const known = windows.flatMap((window) => {
    const { percent, resetsAt } = usage[window] ?? { percent: 0, resetsAt: null };
    return percent >= minWrapUpPercent && resetsAt !== null && resetsAt > now ? [{ percent, resetsAt }] : [];
  });
  return known.sort((a, b) => b.percent - a.percent || b.resetsAt - a.resetsAt)[0]?.resetsAt;
}

function isSameReset(left: number | null, right: number | null): boolean {
  return left === null || right === null ? left === right : Math.abs(left - right) < sameResetMs;
}

export const windowNames: Record<UsageWindow, string> = { five_hour: "5-hour", seven_day: "7-day" };

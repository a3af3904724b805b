export interface SnapshotRules {
  /** The first snapshot is taken when the transcript has this many bytes. */
  minSize: number;
  /** The next ones after this much growth. */
  interval: number;
}

export const defaultSnapshotRules: SnapshotRules = { minSize: 200_000, interval: 80_000 };

export interface Moment {
  event: string;
  /** SessionStart says how the session started. */
  source?: string | undefined;
}

/** Moments after which there may be no other: whatever is new is kept, however little. */
const always = new Set(["PreCompact", "Stop", "StopFailure", "SessionEnd"]);

export function keepsEverything({ event, source }: Moment): boolean {
  return always.has(event) || (event === "SessionStart" && source === "resume");
}

export function isSnapshotDue(
  moment: Moment,
  sizes: { transcript: number; mirrored: number },
  rules: SnapshotRules,
): boolean {
  if (sizes.transcript <= sizes.mirrored) return false;
  if (keepsEverything(moment)) return true;
  if (moment.event !== "PostToolUse") return false;
  if (sizes.mirrored === 0) return sizes.transcript >= rules.minSize;
  return sizes.transcript - sizes.mirrored >= rules.interval;
}

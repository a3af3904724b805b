import type { Settings } from "../settings.ts";

type MarkRules = Pick<Settings, "minSize" | "interval">;

/**
 * What an event saves. `any-growth`: the event may be the session's last, so every new byte is saved and marked.
 * `interval`: new bytes are saved in batches, and marked after enough growth. `none`: nothing.
 */
export type SnapshotTrigger = "any-growth" | "interval" | "none";

/** A burst of small tool calls syncs the disk once in this time, unless it adds more than `batchBytes`. */
const batchMs = 5_000;
const batchBytes = 32_000;

/** Whether the transcript has bytes that are copied now. Applies from the first tool call on, whatever the size. */
export function isCopyDue(
  trigger: SnapshotTrigger,
  sizes: { transcript: number; copied: number },
  times: { now: number; copiedAt: number },
): boolean {
  const growth = sizes.transcript - sizes.copied;
  if (growth <= 0 || trigger === "none") return false;
  if (trigger === "any-growth" || sizes.copied === 0 || growth >= batchBytes) return true;
  // After the clock was set back, the last copy seems to be in the future.
  return times.now < times.copiedAt || times.now - times.copiedAt >= batchMs;
}

/** Whether the copied bytes get a mark. `marked`: the size at the last mark; 0 without one. */
export function isMarkDue(
  trigger: SnapshotTrigger,
  sizes: { copied: number; marked: number },
  rules: MarkRules,
): boolean {
  const growth = sizes.copied - sizes.marked;
  if (growth <= 0 || trigger === "none") return false;
  if (trigger === "any-growth") return true;
  return sizes.marked === 0 ? sizes.copied >= rules.minSize : growth >= rules.interval;
}

import type { FileMark, FileRestore } from "./file-mark.ts";
import { isLive } from "../snapshot/retention.ts";
import type { RetentionSettings } from "../snapshot/retention.ts";

/** The file marks of one workspace on disk. */
export interface HeldTree {
  directory: string;
  workspace: string;
  bytes: number;
  /** Milliseconds since 1970. */
  lastUse: number;
  /** If not, the file marks are the only copy. */
  workspaceExists: boolean;
}

const dayMs = 86_400_000;

/**
 * The file marks to drop because of the disk cap, oldest first and only copies last. `cold`: only those that maintenance would
 * compress anyway; they go before any snapshot of a conversation, the others after.
 */
export function planTreeDrops(
  trees: readonly HeldTree[],
  used: number,
  { maxDisk, coldAfterDays }: RetentionSettings,
  now: number,
  which: "cold" | "any",
): HeldTree[] {
  const minAgeMs = which === "cold" ? coldAfterDays * dayMs : 0;
  const candidates = trees
    .filter(({ lastUse }) => !isLive({ lastUse, isHeld: false }, now) && now - lastUse >= minAgeMs)
    .filter(({ workspaceExists }) => workspaceExists || which === "any")
    .sort((a, b) => Number(b.workspaceExists) - Number(a.workspaceExists) || a.lastUse - b.lastUse);
  let left = used;
  return candidates.filter(({ bytes }) => {
    if (left <= maxDisk) return false;
    left -= bytes;
    return true;
  });
}

/**
 * The marks that the disk cap may take from a workspace in use, oldest first: never the newest, none of the last day, and none
 * that an unfinished restore needs.
 */
export function droppableMarks(
  { marks, restores }: { marks: readonly FileMark[]; restores: readonly FileRestore[] },
  now: number,
): number[] {
  const unfinished = restores.filter(({ state }) => state === "started");
  const needed = new Set(unfinished.flatMap(({ from, to }) => [from, to]));
  return marks
    .slice(0, -1)
    .filter(({ n, time }) => now - time >= dayMs && !needed.has(n))
    .map(({ n }) => n);
}

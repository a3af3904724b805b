import { type Check, has, isAmount, isText, isTime, orNull } from "../../core/check-record.ts";
import type { SavedNearCap, Usage, WindowUsage } from "../../core/checkpoint/usage.ts";
import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import { readOwnText, requireOwnDirectory } from "../../io/files/read-own-file.ts";

/** `usage.json`: the newest usage figures. The status line and the stream write it; they and `doctor` read it. */
export interface UsageState {
  version: 1;
  time: number;
  sessionId: string;
  contextPercent: number | null;
  usage: Usage;
  /** Newest last, at most 50. */
  saved: SavedNearCap[];
}

const maxEntries = 50;
const pathOf = (shared: string): string => `${shared}/usage.json`;

const isWindow = has({ percent: isAmount, resetsAt: orNull(isTime) } satisfies Record<keyof WindowUsage, Check>);
const isSaved = has({ window: isText, resetsAt: orNull(isTime), sessionId: isText } satisfies Record<
  keyof SavedNearCap,
  Check
>);

const isUsageState = has({
  version: (value) => value === 1,
  time: isTime,
  sessionId: isText,
  contextPercent: orNull(isAmount),
  usage: (value) => has({})(value) && Object.values(value as object).every(isWindow),
  saved: (value) => Array.isArray(value) && value.every(isSaved),
} satisfies Record<keyof UsageState, Check>);

/** An unreadable record counts as none: at worst a checkpoint is saved twice. */
export function readUsageState(shared: string): UsageState | undefined {
  try {
    requireOwnDirectory(shared);
    const value: unknown = JSON.parse(readOwnText(pathOf(shared)) ?? "null");
    return isUsageState(value) ? (value as UsageState) : undefined;
  } catch {
    return undefined;
  }
}

export function writeUsageState(shared: string, state: UsageState): void {
  requireOwnDirectory(shared);
  makeDirectory(shared);
  replaceFile(pathOf(shared), JSON.stringify({ ...state, saved: state.saved.slice(-maxEntries) }));
}

import type { SavedNearCap, Usage } from "../core/usage.ts";
import { makeDirectory, replaceFile } from "../io/durable.ts";
import { readOwnText, requireOwnDirectory } from "../io/read-own-file.ts";

/** `usage.json`: the newest figures. Written by the status line and the stream; read by them and by `doctor`. */
export interface UsageState {
  version: 1;
  time: number;
  sessionId: string;
  contextPercent: number | null;
  usage: Usage;
  /** The newest last, at most 50. */
  saved: SavedNearCap[];
}

const most = 50;
const pathOf = (shared: string): string => `${shared}/usage.json`;

/** One that cannot be read is as good as none: it costs a save more than once. */
export function readUsageState(shared: string): UsageState | undefined {
  try {
    requireOwnDirectory(shared);
    const value = JSON.parse(readOwnText(pathOf(shared)) ?? "null") as Partial<UsageState> | null;
    if (value?.version !== 1 || !Array.isArray(value.saved) || typeof value.usage !== "object") return undefined;
    return value as UsageState;
  } catch {
    return undefined;
  }
}

export function writeUsageState(shared: string, state: UsageState): void {
  requireOwnDirectory(shared);
  makeDirectory(shared);
  replaceFile(pathOf(shared), JSON.stringify({ ...state, saved: state.saved.slice(-most) }));
}

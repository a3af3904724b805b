import { readText } from "../io/read-file.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";

/** `latest.json`: the most recent snapshot of all sessions. */
export interface Latest {
  sessionId: string;
  snapshotPath: string;
  jsonlPath: string;
  snapshotSize: number;
  timestamp: string;
}

/** Undefined when there is none, or none that can be read: it is a pointer, and nothing depends on it alone. */
export function readLatest(paths: SnapshotPaths): Latest | undefined {
  try {
    const value = JSON.parse(readText(paths.latest) ?? "null") as Partial<Latest> | null;
    const isWhole = typeof value?.sessionId === "string" && typeof value.jsonlPath === "string";
    return isWhole ? (value as Latest) : undefined;
  } catch {
    return undefined;
  }
}

import { type Check, has, isAmount, isText } from "../../core/check-record.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";
import { readOptionalRecord } from "../read-optional-record.ts";

/** `latest.json`: the newest snapshot of all sessions. */
export interface Latest {
  sessionId: string;
  snapshotPath: string;
  jsonlPath: string;
  snapshotSize: number;
  timestamp: string;
}

const isLatest = has({
  sessionId: isText,
  snapshotPath: isText,
  jsonlPath: isText,
  snapshotSize: isAmount,
  timestamp: isText,
} satisfies Record<keyof Latest, Check>);

/** Undefined when there is none, or it cannot be read: it is only a pointer, and nothing depends on it. */
export function readLatest(paths: SnapshotPaths): Latest | undefined {
  return readOptionalRecord<Latest>(paths.latest, isLatest);
}

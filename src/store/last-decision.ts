import type { Decision, Evidence, History } from "../core/ending.ts";
import { makeDirectory, replaceFile } from "../io/durable.ts";
import { readText } from "../io/read-file.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";

/** `last-decision.json`: what cclaude did when a claude ended last, and why. No text of the conversation is in it. */
export interface LastDecision {
  version: 1;
  /** Milliseconds since 1970. */
  time: number;
  cwd: string;
  sessionId: string | null;
  evidence: Evidence;
  history: History;
  decision: Decision;
}

export function writeLastDecision(paths: SnapshotPaths, record: LastDecision): void {
  makeDirectory(paths.root);
  replaceFile(paths.lastDecision, JSON.stringify(record));
}

export function readLastDecision(paths: SnapshotPaths): LastDecision | undefined {
  try {
    const value = JSON.parse(readText(paths.lastDecision) ?? "null") as LastDecision | null;
    return value?.version === 1 && value.evidence && value.decision ? value : undefined;
  } catch {
    return undefined;
  }
}

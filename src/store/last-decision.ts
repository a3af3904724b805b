import { type Check, has, isAmount, isFlag, isText, isTime, orNull } from "../core/check-record.ts";
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

const isEvidence = has({
  exitCode: isAmount,
  signal: orNull(isText),
  stopAsked: isFlag,
  interactive: isFlag,
  hooksSeen: isFlag,
  endReason: orNull(isText),
  failure: orNull(isText),
  finalError: orNull(has({ kind: isText })),
  resumable: isFlag,
  progress: isFlag,
  snapshotAge: orNull(isAmount),
  growth: isAmount,
  contextTokens: orNull(isAmount),
} satisfies Record<keyof Evidence, Check>);

const isAction: Check = (value) => {
  const { kind, delay, until } = has({ kind: isText })(value) ? (value as Record<string, unknown>) : {};
  if (kind === "resume") return isAmount(delay);
  if (kind === "wait") return isTime(until);
  return kind === "exit" || kind === "give-up" || kind === "restore";
};

const isLastDecision = has({
  version: (value) => value === 1,
  time: isTime,
  cwd: isText,
  sessionId: orNull(isText),
  evidence: isEvidence,
  history: has({ crashes: isAmount, limits: isAmount, restores: isAmount, restarts: isAmount }),
  decision: has({ cause: isText, action: isAction }),
} satisfies Record<keyof LastDecision, Check>);

export function readLastDecision(paths: SnapshotPaths): LastDecision | undefined {
  try {
    const value: unknown = JSON.parse(readText(paths.lastDecision) ?? "null");
    return isLastDecision(value) ? (value as LastDecision) : undefined;
  } catch {
    return undefined;
  }
}

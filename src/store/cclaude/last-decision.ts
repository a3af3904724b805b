import { type Check, has, isAmount, isFlag, isText, isTime, orNull } from "../../core/check-record.ts";
import type { EndEvidence } from "../../core/restart/cause.ts";
import type { EndDecision, EndOutcome, RestartHistory } from "../../core/restart/ending.ts";
import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";
import { readOptionalRecord } from "../read-optional-record.ts";

/** What Claude's hooks reported, in its own words. */
export interface HookWords {
  /** The reason of SessionEnd. */
  readonly endReason: string | null;
  /** The error of StopFailure. */
  readonly failure: string | null;
}

/** The evidence of a decision, with Claude's own words where the decision uses what they mean. */
export type RecordedEvidence = Omit<EndEvidence, keyof HookWords> & HookWords;

/** `last-decision.json`: what cclaude did after the last end of a claude, and why. It has no text of the conversation. */
export interface LastDecision {
  version: 1;
  /** Milliseconds since 1970. */
  time: number;
  cwd: string;
  sessionId: string | null;
  evidence: RecordedEvidence;
  history: RestartHistory;
  decision: EndDecision;
  /** Null until cclaude has acted. Absent in the records of version 0.1. */
  outcome?: EndOutcome | null;
}

export function writeLastDecision(paths: SnapshotPaths, record: LastDecision): void {
  makeDirectory(paths.root);
  replaceFile(paths.lastDecision, JSON.stringify(record));
}

const isEvidence = has({
  exitCode: isAmount,
  signal: orNull(isText),
  stopAsked: isFlag,
  restoreRequested: (value) => value === undefined || isFlag(value),
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
} satisfies Record<keyof RecordedEvidence, Check>);

const isAction: Check = (value) => {
  const { kind, delay, until } = has({ kind: isText })(value) ? (value as Record<string, unknown>) : {};
  if (kind === "resume") return isAmount(delay);
  if (kind === "wait") return isTime(until);
  return kind === "exit" || kind === "give-up" || kind === "restore" || kind === "hold";
};

const outcomes: Readonly<Record<EndOutcome, true>> = {
  ended: true,
  resumed: true,
  restored: true,
  "gave-up": true,
  "no-restore-point": true,
  held: true,
  "not-waiting": true,
  "stopped-waiting": true,
  "went-on-elsewhere": true,
  failed: true,
};

const isOutcome: Check = (value) => typeof value === "string" && Object.hasOwn(outcomes, value);

const isLastDecision = has({
  version: (value) => value === 1,
  time: isTime,
  cwd: isText,
  sessionId: orNull(isText),
  evidence: isEvidence,
  history: has({ crashes: isAmount, limits: isAmount, restores: isAmount, restarts: isAmount }),
  decision: has({ cause: isText, action: isAction }),
  outcome: (value) => value === undefined || orNull(isOutcome)(value),
} satisfies Record<keyof LastDecision, Check>);

export function readLastDecision(paths: SnapshotPaths): LastDecision | undefined {
  return readOptionalRecord<LastDecision>(paths.lastDecision, isLastDecision);
}

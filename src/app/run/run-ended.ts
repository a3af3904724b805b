import type { RunRecord } from "../../core/run/run-record.ts";
import { limitOf, type Signal } from "../../core/restart/signal.ts";
import type { RecoveryEvent } from "../resume/recovery-events.ts";
import type { AttemptResult } from "./run-attempt.ts";
import type { RunEnded } from "./run-events.ts";

/** The event that reports the end of a run. `last`: the last attempt, if there was one. */
export function endOf(
  { plan, status }: RunRecord,
  last: AttemptResult | undefined,
  { exit, started, now }: Pick<RunEnded, "exit"> & { readonly started: number; readonly now: number },
): RunEnded {
  return {
    kind: "ended",
    id: plan.id,
    sessionId: plan.sessionId,
    phase: status.phase,
    cause: status.cause,
    until: status.until,
    answer: status.phase === "done" ? last?.answer : undefined,
    complaint: last?.end.kind === "refused" ? last.stderr.trim() || undefined : undefined,
    claudeExitCode: last?.exitCode,
    message: last?.end.kind === status.cause ? last?.message : undefined,
    heldBy: last?.end.kind === "limit" ? last.end.of : undefined,
    failedFor: now - (status.failingSince ?? now),
    steps: status.steps,
    attempts: status.attempts,
    costUsd: status.costUsd,
    exit,
    milliseconds: now - started,
  };
}

/** The event that reports a wait after an attempt, and its reason. */
export function waitOf(
  { status }: RunRecord,
  last: AttemptResult | undefined,
  signal: Signal,
  until: number,
): Extract<RecoveryEvent, { kind: "waiting" | "backing-off" }> {
  if (status.phase === "waiting-limit") {
    const { resetsAt, of, behind } = limitOf(signal) ?? {};
    return { kind: "waiting", until, known: resetsAt !== null, of, behind };
  }
  if (signal.kind === "retrying") return { kind: "backing-off", cause: "server", how: undefined, until };
  const cause = retryCauses.find((each) => each === status.cause) ?? "crash";
  return { kind: "backing-off", cause, how: howItEnded(last), message: last?.message, until };
}

const retryCauses = ["server", "empty", "unfinished"] as const;

/** The signal or exit code that ended an attempt, or Claude's reason for an early end. */
const howItEnded = (last: AttemptResult | undefined): string | undefined =>
  last && (last.end.kind === "unfinished" ? last.message : (last.signal ?? `exit code ${last.exitCode}`));

import type { RunRecord } from "../core/run-record.ts";
import type { AttemptResult } from "./run-attempt.ts";
import type { RunEnded } from "./run-view.ts";

/** What there is to say of a run when somebody leaves it. `last`: the last start of claude, if there was one. */
export function endOf(
  { plan, status }: RunRecord,
  last: AttemptResult | undefined,
  facts: Pick<RunEnded, "exit" | "milliseconds">,
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
    steps: status.steps,
    attempts: status.attempts,
    costUsd: status.costUsd,
    ...facts,
  };
}

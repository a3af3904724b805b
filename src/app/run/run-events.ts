import type { FailureKind } from "../../core/failure.ts";
import type { SpecialLimit } from "../../core/restart/final-error.ts";
import type { Phase, RunPlan } from "../../core/run/run-record.ts";
import type { RecoveryEvent } from "../resume/recovery-events.ts";

/** Everything that a run reports, independent of how it is shown. `--json` prints these fields. */
export type RunEvent =
  | RecoveryEvent
  | { readonly kind: "started"; readonly plan: RunPlan }
  | { readonly kind: "launched"; readonly attempt: number; readonly resumed: boolean }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tool"; readonly name: string; readonly about: string | undefined }
  | { readonly kind: "step"; readonly number: number; readonly text: string }
  /** The prompt cache has expired, so the whole conversation is sent again. `percent`: of the five-hour window; null when unknown. */
  | { readonly kind: "cold-resume"; readonly tokens: number; readonly percent: number | null }
  | { readonly kind: "retry"; readonly status: number | undefined; readonly delay: number }
  /** Tools that Claude was not permitted to use: it may have left out the work that needed them. */
  | { readonly kind: "denied"; readonly tools: readonly string[] }
  | RunEnded;

export interface RunEnded {
  readonly kind: "ended";
  readonly id: string;
  readonly sessionId: string;
  readonly phase: Phase;
  readonly cause: string | null;
  readonly exit: FailureKind | "done";
  /** When the limit resets that the run does not wait for. */
  readonly until: number | null;
  /** Claude's last answer, without our markers; only when the run is done. */
  readonly answer: string | undefined;
  /** What claude printed when it did not start, and its exit code. */
  readonly complaint: string | undefined;
  /** What Claude, the API or a hook said about an end before the task was done. */
  readonly message: string | undefined;
  readonly claudeExitCode: number | undefined;
  /** The special limit without a reset that holds the run. */
  readonly heldBy: SpecialLimit | undefined;
  /** Milliseconds that the API or the network failed, up to the end. */
  readonly failedFor: number;
  readonly steps: number;
  readonly attempts: number;
  readonly costUsd: number;
  /** Of all runs today, and of those in this directory in the last week; undefined when it cannot be read. */
  readonly costs?: { readonly todayUsd: number; readonly projectUsd: number } | undefined;
  readonly milliseconds: number;
}

export interface RunView {
  show(event: RunEvent): void;
  /** Writes bytes that make the terminal notify its user; undefined without a terminal. */
  readonly notice?: ((bytes: string) => void) | undefined;
  /** Asks before a resume that sends more tokens than the user allows; undefined without a terminal. */
  readonly ask?: ((maxTokens: number) => Promise<"continue" | "restore" | "stop">) | undefined;
  /** Called about once a second during a wait; undefined without a terminal. */
  readonly tick?: ((until: number, left: number, waitsFor: "limit" | "retry") => void) | undefined;
}

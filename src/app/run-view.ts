import type { FailureKind } from "../core/failure.ts";
import type { Phase, RunPlan } from "../core/run-record.ts";

/** What there is to see of a run, and nothing of how it is shown. Words of Claude or the user are data in it. */
export type RunEvent =
  | { readonly kind: "started"; readonly plan: RunPlan }
  | { readonly kind: "launched"; readonly attempt: number; readonly resumed: boolean }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tool"; readonly name: string; readonly about: string | undefined }
  | { readonly kind: "step"; readonly number: number; readonly text: string }
  | { readonly kind: "retry"; readonly status: number | undefined; readonly delay: number }
  | { readonly kind: "waiting"; readonly until: number; readonly known: boolean }
  | { readonly kind: "backing-off"; readonly cause: string; readonly how: string | undefined; readonly until: number }
  | { readonly kind: "resuming"; readonly cause: string | null }
  | { readonly kind: "repaired" }
  | { readonly kind: "restored"; readonly mark: number; readonly time: number }
  /** Tools that Claude wanted to use and was not permitted to: it may have left out what they were for. */
  | { readonly kind: "denied"; readonly tools: readonly string[] }
  | { readonly kind: "trouble"; readonly message: string }
  | RunEnded;

export interface RunEnded {
  readonly kind: "ended";
  readonly id: string;
  readonly sessionId: string;
  readonly phase: Phase;
  readonly cause: string | null;
  readonly exit: FailureKind | "done";
  /** For a limit that is not waited for, when it ends. */
  readonly until: number | null;
  /** Claude's last answer, without our markers; only of a run that is done. */
  readonly answer: string | undefined;
  /** What claude itself said about why it would not start, and its exit code. */
  readonly complaint: string | undefined;
  readonly claudeExitCode: number | undefined;
  readonly steps: number;
  readonly attempts: number;
  readonly costUsd: number;
  readonly milliseconds: number;
}

export interface RunView {
  show(event: RunEvent): void;
  /** Called about once a second while waiting; undefined where nobody would see it. */
  readonly tick?: ((until: number, left: number, waitsFor: "limit" | "retry") => void) | undefined;
}

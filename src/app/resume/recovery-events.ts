import type { QuietLimit, SpecialLimit } from "../../core/restart/final-error.ts";

/** What happens between the end of one claude and the start of the next. cclaude and `ai-runtime run` both report these. */
export type RecoveryEvent =
  /** For a limit; `known`: Claude said when it resets; `of`: it is not a limit of the whole plan. */
  | {
      readonly kind: "waiting";
      readonly until: number;
      readonly known: boolean;
      readonly of?: SpecialLimit | undefined;
      readonly behind?: QuietLimit | undefined;
    }
  /**
   * Before another attempt; `how`: the signal or exit code that ended claude, or Claude's reason for an early end; `message`:
   * what the API said.
   */
  | {
      readonly kind: "backing-off";
      readonly cause: "crash" | "server" | "empty" | "unfinished";
      readonly how: string | undefined;
      readonly message?: string | undefined;
      readonly until: number;
    }
  /** `cause`: what interrupted the conversation. */
  | { readonly kind: "resuming"; readonly cause: string | null }
  | { readonly kind: "repaired" }
  /** The session was last in a permission mode that is stricter than its flags; it is resumed in that mode. */
  | { readonly kind: "stricter-mode"; readonly mode: string }
  /** To a point that fits into the context again: its turn, its time where known, and its mark where it has one. */
  | {
      readonly kind: "restored";
      readonly turn: number;
      readonly time: number | null;
      readonly mark: number | null;
    }
  | { readonly kind: "trouble"; readonly message: string };

/** Why the conversation is not resumed, and the user has to act. */
export type RecoveryStop =
  /** `until`: when the limit resets, where that is known. */
  | { readonly kind: "not-waiting"; readonly until: number | null }
  | { readonly kind: "stopped-waiting" }
  /** The limit states no reset. */
  | { readonly kind: "held"; readonly of: SpecialLimit; readonly message: string | undefined }
  /** Milliseconds that the API or the network failed. */
  | { readonly kind: "kept-failing"; readonly milliseconds: number; readonly message: string | undefined }
  /** `attempts`: undefined where they are not counted. */
  | { readonly kind: "gave-up"; readonly attempts: number | undefined }
  | { readonly kind: "restored-too-often" }
  | { readonly kind: "no-restore-point" }
  | { readonly kind: "went-on-elsewhere" }
  /** `message`: what the API said. */
  | {
      readonly kind: "authentication" | "permission" | "billing" | "rejected";
      readonly message: string | undefined;
    }
  /** `complaint`: what claude printed, where we have it. */
  | { readonly kind: "not-started"; readonly complaint: string | undefined }
  /** We failed to find out how claude ended. */
  | { readonly kind: "undecided"; readonly message: string };

/** What an attempt printed before it ended. It is not the answer, so it does not go to stdout. */
export interface NoAnswer {
  readonly kind: "no-answer";
  readonly message: string;
}

import type { QuietLimit, SpecialLimit } from "./final-error.ts";

/** How one attempt ended, as far as it decides what comes next. It contains no text of the conversation. */
export type AttemptEnd =
  /** Claude reports success, and its transcript has the answers. */
  | { readonly kind: "finished" }
  /** Claude reports success, but did nothing. */
  | { readonly kind: "empty" }
  /** Claude stopped in the middle of the task: a resume continues it. */
  | { readonly kind: "unfinished" }
  /** A hook of the user ended the turn. */
  | { readonly kind: "hook" }
  /** A hook of the user left a tool call to the caller. */
  | { readonly kind: "deferred" }
  /** The model refused. */
  | { readonly kind: "refusal" }
  | {
      readonly kind: "limit";
      /** Milliseconds since 1970; null when unknown. */
      readonly resetsAt: number | null;
      readonly of?: SpecialLimit;
      readonly behind?: QuietLimit;
    }
  | { readonly kind: "server" }
  | { readonly kind: "crash" }
  | { readonly kind: "overload" }
  | { readonly kind: "authentication" }
  | { readonly kind: "permission" }
  | { readonly kind: "billing" }
  /** The user's budget or number of turns is used up. */
  | { readonly kind: "budget" }
  | { readonly kind: "turns" }
  /** Claude rejected its arguments, or its directory is gone: a retry would fail the same way. */
  | { readonly kind: "refused" }
  /** The API rejected the request for good, for another reason. */
  | { readonly kind: "error" };

/** Everything that can happen to a run. */
export type Signal =
  /** A supervisor starts or resumes the run. */
  | { readonly kind: "begin" }
  | { readonly kind: "launched" }
  /** `progress`: this attempt brought at least one answer. */
  | { readonly kind: "ended"; readonly end: AttemptEnd; readonly progress: boolean }
  /** The running claude waits inside its process and then repeats its request; milliseconds since 1970. */
  | { readonly kind: "retrying"; readonly why: "limit" | "server"; readonly until: number }
  /** The running claude has received an answer. */
  | { readonly kind: "answered" }
  /** The wait is over. */
  | { readonly kind: "reached" }
  /** The transcript is whole, and no other claude uses it. */
  | { readonly kind: "ready" }
  | { readonly kind: "unready"; readonly why: "went-on-elsewhere" | "no-restore-point" }
  /** Ctrl-C, a closed terminal, a shutdown: the run can be resumed. */
  | { readonly kind: "interrupted"; /** Not by the user, so `recover` may resume it. */ readonly bySystem?: true }
  /** The user ends the run for good. */
  | { readonly kind: "stop" };

/** The limit that ended an attempt. */
export const limitOf = (signal: Signal): Extract<AttemptEnd, { kind: "limit" }> | undefined =>
  signal.kind === "ended" && signal.end.kind === "limit" ? signal.end : undefined;

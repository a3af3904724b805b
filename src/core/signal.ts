/** How one start of claude ended, as far as it matters for what comes next. No text of the conversation is in it. */
export type AttemptEnd =
  /** Claude says that it is done, and its transcript has the answers to show for it. */
  | { readonly kind: "finished" }
  /** It ended well, and nothing was done. */
  | { readonly kind: "empty" }
  /** Milliseconds since 1970, when it is known. */
  | { readonly kind: "limit"; readonly resetsAt: number | null }
  | { readonly kind: "server" }
  | { readonly kind: "crash" }
  | { readonly kind: "overload" }
  | { readonly kind: "authentication" }
  | { readonly kind: "billing" }
  /** What the user allowed it to spend, or the turns, are used up. */
  | { readonly kind: "budget" }
  | { readonly kind: "turns" }
  /** It did not take its command line, or its place: trying again would give the same. */
  | { readonly kind: "refused" }
  /** The API refused for good, for a reason that is none of the above. */
  | { readonly kind: "error" };

/** Everything that can happen to a run. */
export type Signal =
  /** Somebody takes it up: for the first time, or again after whatever came in between. */
  | { readonly kind: "begin" }
  | { readonly kind: "launched" }
  /** `progress`: this start brought at least one answer. */
  | { readonly kind: "ended"; readonly end: AttemptEnd; readonly progress: boolean }
  /** The wait is over. */
  | { readonly kind: "reached" }
  /** The transcript is whole and nobody else's. */
  | { readonly kind: "ready" }
  | { readonly kind: "unready"; readonly why: "went-on-elsewhere" | "no-restore-point" }
  /** Ctrl-C, a closed terminal, a shutdown: it can be resumed. */
  | { readonly kind: "interrupted"; /** Not by the user: `recover` may take it up. */ readonly bySystem?: true }
  /** The user's word that it is to end for good. */
  | { readonly kind: "stop" };

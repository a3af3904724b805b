/** Decides the exit code; `cli/exit-codes.ts` holds the numbers. */
export type FailureKind =
  | "failed"
  | "usage"
  | "partial"
  | "not-found"
  | "locked"
  | "corrupt"
  | "waiting"
  | "authentication"
  | "no-claude"
  | "stopped";

/** A failure in words for the user: what went wrong with which object, and what to do about it. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly hint: string | undefined;

  constructor(kind: FailureKind, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : {});
    this.name = "Failure";
    this.kind = kind;
    this.hint = options.hint;
  }
}

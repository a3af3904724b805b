import { messageOf } from "../../core/message-of.ts";

/** Which operation on which file failed, and why. The file is unchanged unless the message says otherwise. */
export class DurableError extends Error {
  override readonly name = "DurableError";
  readonly operation: string;
  readonly path: string;
  /** A code of the system (`ENOSPC`), or one of ours in lower case (`short-source`). */
  readonly code: string;

  constructor(operation: string, path: string, cause: unknown) {
    const code = codeOf(cause);
    super(`cannot ${operation} ${path}: ${describe(cause)}${code.startsWith("E") ? ` (${code})` : ""}`, { cause });
    this.operation = operation;
    this.path = path;
    this.code = code;
  }
}

/** Runs the body and turns any error into a DurableError about this operation. */
export function attempt<Result>(operation: string, path: string, body: () => Result): Result {
  try {
    return body();
  } catch (cause) {
    throw cause instanceof DurableError ? cause : new DurableError(operation, path, cause);
  }
}

/** An error that we detect, not the system. */
export const refusal = (code: string, reason: string): Error => Object.assign(new Error(reason), { code });

export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown";
}

// "ENOSPC: no space left on device, write" → "no space left on device"
function describe(cause: unknown): string {
  const message = messageOf(cause);
  return /^E[A-Z0-9]+: ([^,]+)/.exec(message)?.[1] ?? message;
}

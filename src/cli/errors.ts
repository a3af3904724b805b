import { Failure } from "../core/failure.ts";
import { exitCodes } from "./exit-codes.ts";
import { oneLine } from "./one-line.ts";

export interface ErrorReport {
  exitCode: number;
  /** What goes to stderr, without the last newline. */
  text: string;
}

/** The one mapper from an error to words: what, why, what to do; as JSON for a script that asked for JSON. */
export function reportError(error: unknown, program: string, asJson: boolean): ErrorReport {
  const failure = error instanceof Failure ? error : unexpected(error);
  const exitCode = exitCodes[failure.kind];
  const { kind, message, hint } = failure;
  if (asJson) {
    return { exitCode, text: JSON.stringify({ error: { kind, message, ...(hint ? { hint } : {}), exitCode } }) };
  }
  return { exitCode, text: [`${program}: ${oneLine(message)}`, ...(hint ? [hint] : [])].join("\n") };
}

function unexpected(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  // An operating-system error says what and where in its message; anything else is a defect of ours and says so.
  if (error instanceof Error && "code" in error) return new Failure("failed", message, { cause: error });
  const stack = error instanceof Error && error.stack ? error.stack : message;
  return new Failure("failed", `unexpected error: ${message}`, {
    hint: `This is a defect in the program, please report it:\n${stack}`,
    cause: error,
  });
}

import { Failure } from "../core/failure.ts";
import { explainFailure } from "../app/explain-denied.ts";
import { exitCodes } from "./exit-codes.ts";
import { oneLine } from "./one-line.ts";
import { messageOf } from "../core/message-of.ts";

export interface ErrorReport {
  exitCode: number;
  /** For stderr, without the last newline. */
  text: string;
}

/** Turns every error into text for stderr: what failed, why, and what to do. With --json, into JSON. */
export function reportError(error: unknown, program: string, asJson: boolean): ErrorReport {
  const explained = explainFailure(error);
  const failure = explained instanceof Failure ? explained : unexpected(explained);
  const exitCode = exitCodes[failure.kind];
  const { kind, message, hint } = failure;
  if (asJson) {
    return { exitCode, text: JSON.stringify({ error: { kind, message, ...(hint ? { hint } : {}), exitCode } }) };
  }
  return { exitCode, text: [`${program}: ${oneLine(message)}`, ...(hint ? [hint] : [])].join("\n") };
}

function unexpected(error: unknown): Failure {
  const message = messageOf(error);
  // The message of an operating-system error says what failed and where. Any other error is a bug in this program.
  if (error instanceof Error && "code" in error) return new Failure("failed", message, { cause: error });
  const stack = error instanceof Error && error.stack ? error.stack : message;
  return new Failure("failed", `unexpected error: ${message}`, {
    hint: `This is a bug in the program; please report it:\n${stack}`,
    cause: error,
  });
}

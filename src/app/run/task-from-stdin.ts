import { readStdin } from "../../io/terminal/read-stdin.ts";
import { isTerminal } from "../../io/terminal/terminal-modes.ts";
import { Failure } from "../../core/failure.ts";

const maxInput = { bytes: 10_000_000, milliseconds: 60_000 };

/** Undefined at a terminal: we never prompt for a task. */
export async function readTaskFromStdin(): Promise<string | undefined> {
  if (isTerminal(0)) return undefined;
  const input = await readStdin(maxInput);
  if (input.kind === "text") return input.text;
  throw new Failure("usage", "cannot read the whole task from stdin");
}

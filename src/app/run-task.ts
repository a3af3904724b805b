import { readStdin } from "../io/read-stdin.ts";
import { isTerminal } from "../io/terminal-modes.ts";
import { Failure } from "../core/failure.ts";

const most = { bytes: 10_000_000, milliseconds: 60_000 };

/** Undefined at a terminal: nobody is asked for what was not given. */
export async function readTaskFromStdin(): Promise<string | undefined> {
  if (isTerminal(0)) return undefined;
  const input = await readStdin(most);
  if (input.kind === "text") return input.text;
  throw new Failure("usage", "the task on stdin could not be read to its end");
}

import { readCheckpointWords } from "../../claude/checkpoint-words.ts";
import type { Words } from "../../core/checkpoint/checkpoint-save.ts";
import { Failure } from "../../core/failure.ts";
import { readStdin } from "../../io/terminal/read-stdin.ts";

/** Empty stdin means nothing to save; any other input must be valid. */
export async function readWordsFromStdin(): Promise<Words> {
  const input = await readStdin({ bytes: 1_000_000, milliseconds: 10_000 });
  if (input.kind !== "text") throw new Failure("usage", `cannot read a checkpoint from stdin: ${input.kind}`);
  if (input.text.trim() === "") return {};
  const read = readCheckpointWords(input.text);
  if (read.kind === "invalid") throw new Failure("usage", `the checkpoint on stdin is invalid: ${read.why}`);
  return read.words;
}

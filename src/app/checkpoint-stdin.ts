import { readCheckpointWords } from "../claude/checkpoint-words.ts";
import type { Words } from "../core/checkpoint-save.ts";
import { Failure } from "../core/failure.ts";
import { readStdin } from "../io/read-stdin.ts";

/** Nothing at all on stdin is nothing to save; anything else must be right. */
export async function readWordsFromStdin(): Promise<Words> {
  const input = await readStdin({ bytes: 1_000_000, milliseconds: 10_000 });
  if (input.kind !== "text") throw new Failure("usage", `cannot read a checkpoint from stdin: ${input.kind}`);
  if (input.text.trim() === "") return {};
  const words = readCheckpointWords(input.text);
  if (typeof words === "string") throw new Failure("usage", `the checkpoint on stdin cannot be used: ${words}`);
  return words;
}

import { readRunArguments, type RunArguments, RunArgumentsError } from "../claude/run-arguments.ts";
import { parseDuration } from "../core/duration.ts";
import { Failure } from "../core/failure.ts";

export interface RunWords extends RunArguments {
  readonly maxWait: number | null;
}

/** The words behind `ai-runtime run`; what is wrong with them is said in one sentence. */
export function readRunWords(argv: readonly string[]): RunWords {
  try {
    const words = readRunArguments(argv);
    return { ...words, maxWait: maxWaitOf(words.own) };
  } catch (error) {
    if (error instanceof RunArgumentsError) throw new Failure("usage", error.message);
    throw error;
  }
}

function maxWaitOf(own: ReadonlyMap<string, string>): number | null {
  if (own.has("no-wait")) return 0;
  const text = own.get("max-wait");
  if (text === undefined) return null;
  const duration = text === "0" ? 0 : parseDuration(text);
  if (duration !== undefined) return duration;
  throw new Failure("usage", `--max-wait is "${text}"; it is a time such as 90m, 5h or 2d, or 0`);
}

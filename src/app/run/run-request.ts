import { readRunArguments, type RunArguments, RunArgumentsError } from "../../claude/argv/run-arguments.ts";
import { parseDuration } from "../../core/duration.ts";
import { Failure } from "../../core/failure.ts";

export interface RunWords extends RunArguments {
  readonly maxWait: number | null;
}

/** Reads the arguments of `ai-runtime run`; an error is one sentence for the user. */
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
  const text = own.get("max-wait");
  if (own.has("no-wait")) {
    if (text === undefined) return 0;
    throw new Failure("usage", "--no-wait and --max-wait contradict each other; give one of them");
  }
  if (text === undefined) return null;
  const duration = text === "0" ? 0 : parseDuration(text);
  if (duration !== undefined) return duration;
  throw new Failure("usage", `--max-wait must be 0 or a duration such as 90m, 5h or 2d (got "${text}")`);
}

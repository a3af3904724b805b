import type { FinalError } from "../../core/restart/final-error.ts";
import { asObject, asText, type JsonObject, parseObject } from "../json-object.ts";
import { classifyError, type Clock } from "../limits/api-error.ts";
import { blocksOf } from "../message-blocks.ts";

/**
 * The errors that subagents returned as their results since `since`. Lines of the main transcript are given newest first. 2.1.36 may
 * exit before it writes the transcript of a subagent, and then only the result tells how the subagent ended.
 */
export function readReturnedErrors(lines: Iterable<string>, since: number, clock: Clock): FinalError[] {
  const errors: FinalError[] = [];
  for (const line of lines) {
    const fields = parseObject(line);
    if (Date.parse(asText(fields?.["timestamp"]) ?? "") < since) break;
    const result = asObject(fields?.["toolUseResult"]);
    if (result && asText(result["agentId"]) !== undefined) errors.push(errorIn(result, clock));
  }
  return errors;
}

/** The result is a text like any other; only one that begins with the words of an error is one. */
function errorIn(result: JsonObject, clock: Clock): FinalError {
  const text = asText(blocksOf(result["content"])[0]?.["text"]) ?? "";
  return classifyError(
    { error: undefined, status: undefined, details: undefined, quotaResetsAt: undefined, text },
    clock,
  );
}

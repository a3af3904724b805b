import type { FinalError } from "../core/final-error.ts";
import { classifyError, type Clock, type ErrorFacts } from "./api-error.ts";
import { asObject, asText, type JsonObject } from "./json-object.ts";

/** How a conversation stood when its last line was written. */
export interface TranscriptEnding {
  /** Set when an error is the last thing in it; one that the conversation went on from does not count. */
  finalError: FinalError | undefined;
  /** Claude was at work: a prompt or a tool's result waits for its answer. */
  midTurn: boolean;
  /** Claude said or did something since. */
  answered: boolean;
  /** There is anything to go on with, however old. */
  spoken: boolean;
  /** Of the client that wrote them. */
  version: string | undefined;
}

/**
 * Reads whole lines, given newest first, and only as many as needed. What is older than `since` (milliseconds since 1970)
 * was there before this run: an error among it is not the reason for this end.
 */
export function readEnding(lines: Iterable<string>, since: number, clock: Clock): TranscriptEnding {
  const ending: TranscriptEnding = {
    finalError: undefined,
    midTurn: false,
    answered: false,
    spoken: false,
    version: undefined,
  };
  for (const line of lines) {
    const fields = parse(line);
    if (!fields || fields["isSidechain"] === true) continue;
    if (fields["type"] !== "user" && fields["type"] !== "assistant") continue;
    ending.version ??= asText(fields["version"]);
    const isError = fields["isApiErrorMessage"] === true;
    const isOld = Date.parse(asText(fields["timestamp"]) ?? "") < since;
    if (!ending.spoken) {
      ending.spoken = true;
      if (isError && !isOld) ending.finalError = classifyError(errorFacts(fields), clock);
      else ending.midTurn = isOpen(fields);
    }
    if (isOld) break;
    if (fields["type"] === "assistant" && !isError && !isFiller(fields)) {
      ending.answered = true;
      break;
    }
  }
  return ending;
}

/** A prompt or tool result without an answer, or a tool call without its result; not a turn that the user broke off. */
function isOpen(fields: JsonObject): boolean {
  const blocks = blocksOf(fields);
  if (fields["type"] === "assistant") return blocks.some((block) => block["type"] === "tool_use");
  const text = blocks.map((block) => asText(block["text"]) ?? "").join("\n");
  return !/^(\[Request interrupted by user|<command-name>|<local-command-|<bash-)/.test(text.trim());
}

const isFiller = (fields: JsonObject): boolean => asObject(fields["message"])?.["model"] === "<synthetic>";

function errorFacts(fields: JsonObject): ErrorFacts {
  const quota = asObject(fields["quotaLimits"]) ?? asObject(asObject(fields["apiErrorParams"])?.["rate_limit_info"]);
  const resetsAt = quota?.["resetsAt"];
  const status = fields["apiErrorStatus"];
  return {
    error: asText(fields["error"]),
    status: typeof status === "number" ? status : undefined,
    details: asText(fields["errorDetails"]),
    quotaResetsAt: typeof resetsAt === "number" ? resetsAt * 1000 : undefined,
    text: blocksOf(fields)
      .map((block) => asText(block["text"]) ?? "")
      .join("\n"),
  };
}

function blocksOf(fields: JsonObject): JsonObject[] {
  const content = asObject(fields["message"])?.["content"];
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.map((block) => asObject(block) ?? {}) : [];
}

function parse(line: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return undefined;
  }
}

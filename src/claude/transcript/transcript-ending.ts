import type { FinalError } from "../../core/restart/final-error.ts";
import { classifyError, type Clock, type ErrorFacts } from "../limits/api-error.ts";
import { asObject, asText, type JsonObject, parseObject } from "../json-object.ts";
import { messageBlocks } from "../message-blocks.ts";
import { isPrompt, WrapUpSearch } from "./wrap-up.ts";

/** The state of a conversation at its last line. */
export interface TranscriptEnding {
  /** Set when the conversation ends with an error or a wrap-up near a limit. An error after which it continued does not count. */
  finalError: FinalError | undefined;
  /** What the client wrote about that error. */
  errorText: string | undefined;
  /** Claude was working: a prompt or a tool result has no answer yet. */
  midTurn: boolean;
  /** Claude wrote an answer since `since`. */
  answered: boolean;
  /**
   * When the conversation last moved on: the time of its newest prompt, tool result or answer, in milliseconds since 1970.
   * An error before this time was overcome. Undefined when nothing since `since` counts.
   */
  continuedAt: number | undefined;
  /** When the last turn began, in milliseconds since 1970; undefined when that was before `since` or is far back. */
  promptedAt: number | undefined;
  /** The conversation has at least one message, however old. */
  spoken: boolean;
  /** Why a hook of the user ended the last turn. */
  hookReason: string | undefined;
  /** Version of the client that wrote the last message. */
  version: string | undefined;
}

/**
 * Reads whole lines, given newest first, and only as many as needed. Lines older than `since` (milliseconds since 1970) are from
 * before this attempt: an error among them is not the reason for its end.
 */
export function readEnding(lines: Iterable<string>, since: number, clock: Clock): TranscriptEnding {
  const ending: TranscriptEnding = {
    finalError: undefined,
    errorText: undefined,
    midTurn: false,
    answered: false,
    continuedAt: undefined,
    promptedAt: undefined,
    spoken: false,
    hookReason: undefined,
    version: undefined,
  };
  const wrapUp = new WrapUpSearch();
  for (const fields of withoutExit(lines)) {
    if (!ending.spoken) ending.hookReason ??= hookReasonIn(fields);
    if (fields["type"] !== "user" && fields["type"] !== "assistant") continue;
    ending.version ??= asText(fields["version"]);
    const isError = fields["isApiErrorMessage"] === true;
    const time = Date.parse(asText(fields["timestamp"]) ?? "");
    const isOld = time < since;
    if (!ending.spoken) {
      ending.spoken = true;
      if (isError && !isOld) {
        const facts = errorFacts(fields);
        ending.finalError = classifyError(facts, clock);
        ending.errorText = facts.text;
      } else ending.midTurn = isOpen(fields);
    }
    if (isOld) break;
    const isAnswer = fields["type"] === "assistant" && !isError && !isFiller(fields);
    const isContinued = isAnswer || (fields["type"] === "user" && isOpen(fields));
    if (isContinued && !Number.isNaN(time)) ending.continuedAt ??= time;
    if (isAnswer) ending.answered = true;
    if (isPrompt(fields) && !Number.isNaN(time)) ending.promptedAt ??= time;
    wrapUp.take(fields);
    if (ending.answered && (wrapUp.isOver || ending.midTurn || ending.finalError)) break;
  }
  if (wrapUp.found && ending.answered && !ending.midTurn) {
    ending.finalError ??= { kind: "limit", resetsAt: undefined, behind: "wrap-up" };
  }
  return ending;
}

/** Clients before 2.1.326 write the user's /exit and its answer at the end of a conversation. That does not continue it. */
function* withoutExit(lines: Iterable<string>): Generator<JsonObject> {
  let held: JsonObject[] = [];
  let isAtEnd = true;
  for (const line of lines) {
    const fields = parseObject(line);
    if (!fields || fields["isSidechain"] === true) continue;
    const isMessage = fields["type"] === "user" || fields["type"] === "assistant";
    if (!isAtEnd || !isMessage) {
      yield fields;
      continue;
    }
    const text = fields["type"] === "user" ? textOf(fields).trim() : "";
    if (held.length === 0 && text.startsWith("<local-command-stdout>")) held = [fields];
    else if (/^<command-name>\/(exit|quit)</.test(text)) held = [];
    else if (!text.startsWith("<local-command-caveat>")) {
      isAtEnd = false;
      yield* [...held, fields];
      held = [];
    }
  }
  yield* held;
}

function hookReasonIn(fields: JsonObject): string | undefined {
  const attachment = fields["type"] === "attachment" ? asObject(fields["attachment"]) : undefined;
  return attachment?.["type"] === "hook_stopped_continuation" ? asText(attachment["message"]) : undefined;
}

/** Whether the turn is unfinished: a prompt or tool result without an answer, or a tool call without a result. An interrupted turn is finished. */
function isOpen(fields: JsonObject): boolean {
  const blocks = messageBlocks(fields);
  if (fields["type"] === "assistant") return blocks.some((block) => block["type"] === "tool_use");
  return !/^(\[Request interrupted by user|<command-name>|<local-command-|<bash-)/.test(textOf(fields).trim());
}

const isFiller = (fields: JsonObject): boolean => asObject(fields["message"])?.["model"] === "<synthetic>";

export function errorFacts(fields: JsonObject): ErrorFacts {
  const quota = asObject(fields["quotaLimits"]) ?? asObject(asObject(fields["apiErrorParams"])?.["rate_limit_info"]);
  const resetsAt = quota?.["resetsAt"];
  const status = fields["apiErrorStatus"];
  return {
    error: asText(fields["error"]),
    status: typeof status === "number" ? status : undefined,
    details: asText(fields["errorDetails"]),
    quotaResetsAt: typeof resetsAt === "number" ? resetsAt * 1000 : undefined,
    text: textOf(fields),
  };
}

export const textOf = (fields: JsonObject): string =>
  messageBlocks(fields)
    .map((block) => asText(block["text"]) ?? "")
    .join("\n");

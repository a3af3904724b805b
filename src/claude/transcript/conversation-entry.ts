import { asObject, asText, type JsonObject, parseObject } from "../json-object.ts";
import { blocksOf } from "../message-blocks.ts";
import { plainText } from "./plain-text.ts";
import { readUserText } from "./user-text.ts";

/** A visible part of a conversation. Its text has no control characters. */
export type Part =
  | { kind: "text"; text: string }
  | { kind: "call"; id: string; name: string; input: JsonObject }
  | { kind: "result"; id: string; text: string; failed: boolean }
  | { kind: "output"; text: string }
  | { kind: "error"; text: string }
  | { kind: "compaction"; trigger: string | undefined; tokens: number | undefined }
  | { kind: "summary"; text: string };

/** A transcript line that belongs to the tree. An entry without parts only links others. */
export interface ConversationEntry {
  uuid: string;
  parent: string | undefined;
  /** The model's message that contains this line's block. */
  messageId: string | undefined;
  speaker: "user" | "claude" | "client";
  time: number | undefined;
  parts: Part[];
}

export type LineReading =
  { kind: "entry"; entry: ConversationEntry } | { kind: "bookkeeping" } | { kind: "unreadable" };

/** `sidechains`: also the lines of a subagent, as in its own transcript. */
export function readLine(line: string, { sidechains = false }: { sidechains?: boolean } = {}): LineReading {
  const fields = parseObject(line);
  if (!fields) return { kind: "unreadable" };
  const uuid = asText(fields["uuid"]);
  if (uuid === undefined || (fields["isSidechain"] === true && !sidechains)) return { kind: "bookkeeping" };
  const message = asObject(fields["message"]);
  const time = Date.parse(asText(fields["timestamp"]) ?? "");
  const entry = {
    uuid,
    // A compaction starts a new chain for the model, but a reader follows the conversation across it.
    parent: asText(fields["parentUuid"]) ?? asText(fields["logicalParentUuid"]),
    messageId: asText(message?.["id"]),
    time: Number.isNaN(time) ? undefined : time,
  };
  return { kind: "entry", entry: { ...entry, ...readContent(fields, message) } };
}

function readContent(
  fields: JsonObject,
  message: JsonObject | undefined,
): Pick<ConversationEntry, "speaker" | "parts"> {
  if (fields["isMeta"] === true) return { speaker: "client", parts: [] };
  switch (fields["type"]) {
    case "user":
      return { speaker: "user", parts: userParts(fields, message?.["content"]) };
    case "assistant":
      return { speaker: "claude", parts: claudeParts(fields, message) };
    case "system":
      return { speaker: "client", parts: systemParts(fields) };
    case "attachment":
      return { speaker: "user", parts: queuedPrompt(asObject(fields["attachment"])) };
    default:
      return { speaker: "client", parts: [] };
  }
}

function userParts(fields: JsonObject, content: unknown): Part[] {
  if (fields["isCompactSummary"] === true) return [{ kind: "summary", text: plainText(textOf(content)) }];
  return blocksOf(content).flatMap((block): Part[] => {
    if (block["type"] === "text") return readUserText(plainText(asText(block["text"]) ?? ""));
    if (block["type"] === "tool_result") {
      const text = plainText(textOf(block["content"])).replace(/^<tool_use_error>(.*)<\/tool_use_error>$/s, "$1");
      return [{ kind: "result", id: asText(block["tool_use_id"]) ?? "", text, failed: block["is_error"] === true }];
    }
    return [{ kind: "text", text: plainText(placeholder(block)) }];
  });
}

function claudeParts(fields: JsonObject, message: JsonObject | undefined): Part[] {
  const failed = fields["isApiErrorMessage"] === true;
  return blocksOf(message?.["content"]).flatMap((block): Part[] => {
    const text = plainText(asText(block["text"]) ?? "");
    if (block["type"] === "text" && text.trim() !== "") {
      // Filler text of the client.
      if (message?.["model"] === "<synthetic>" && text === "No response requested.") return [];
      return [{ kind: failed ? "error" : "text", text }];
    }
    const { id, name, input } = block;
    if (typeof id !== "string" || typeof name !== "string") return [];
    return [{ kind: "call", id, name: plainText(name), input: asObject(input) ?? {} }];
  });
}

function systemParts(fields: JsonObject): Part[] {
  const content = plainText(asText(fields["content"]) ?? "");
  if (fields["subtype"] === "local_command") return readUserText(content);
  if (fields["subtype"] !== "compact_boundary") return [];
  const facts = asObject(fields["compactMetadata"]);
  const tokens = facts?.["preTokens"];
  const trigger = asText(facts?.["trigger"]);
  return [
    {
      kind: "compaction",
      trigger: trigger === undefined ? undefined : plainText(trigger),
      tokens: typeof tokens === "number" ? tokens : undefined,
    },
  ];
}

/** A prompt that the user typed while Claude was working is stored as an attachment. */
function queuedPrompt(attachment: JsonObject | undefined): Part[] {
  if (attachment?.["type"] !== "queued_command" || attachment["isMeta"] === true) return [];
  if (attachment["commandMode"] !== undefined && attachment["commandMode"] !== "prompt") return [];
  return readUserText(plainText(textOf(attachment["prompt"])));
}

function textOf(content: unknown): string {
  return blocksOf(content)
    .map((block) => asText(block["text"]) ?? (block["type"] === "text" ? "" : placeholder(block)))
    .join("\n");
}

const placeholder = (block: JsonObject): string => `[${asText(block["type"]) ?? "unknown content"}]`;

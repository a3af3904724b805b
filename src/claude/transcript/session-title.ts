import { asText, type JsonObject, parseObject } from "../json-object.ts";
import { messageBlocks } from "../message-blocks.ts";
import { readUserText } from "./user-text.ts";

/** A line with a title begins so. */
export const titleLines = ['{"type":"custom-title"', '{"type":"ai-title"', '{"type":"summary"'];

/**
 * The title that the user or Claude gave the conversation; the user's counts first. Lines come newest first: of several titles,
 * the newest counts.
 */
export function titleIn(lines: Iterable<string>): string | undefined {
  let own: string | undefined;
  for (const line of lines) {
    // Most lines are messages, and some are megabytes long.
    if (!titleLines.some((start) => line.startsWith(start))) continue;
    const fields = parseObject(line);
    const given = asText(fields?.["customTitle"]);
    if (given) return given;
    own ??= asText(fields?.["aiTitle"]) || asText(fields?.["summary"]) || undefined;
  }
  return own;
}

/** The first prompt that the user typed. Lines come oldest first. */
export function firstPromptIn(lines: Iterable<string>): string | undefined {
  for (const line of lines) {
    const fields = line.includes('"type":"user"') ? parseObject(line) : undefined;
    if (fields?.["type"] !== "user" || fields["isMeta"] === true || fields["isSidechain"] === true) continue;
    const text = promptOf(messageBlocks(fields));
    if (text !== undefined) return text;
  }
  return undefined;
}

function promptOf(blocks: readonly JsonObject[]): string | undefined {
  for (const block of blocks) {
    const [part] = readUserText(asText(block["text"]) ?? "");
    if (part?.kind === "text") return part.text;
  }
  return undefined;
}

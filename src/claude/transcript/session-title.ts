import { asObject, asText, type JsonObject } from "../json-object.ts";
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
    const fields = parse(line);
    const given = asText(fields?.["customTitle"]);
    if (given) return given;
    own ??= asText(fields?.["aiTitle"]) || asText(fields?.["summary"]) || undefined;
  }
  return own;
}

/** The first prompt that the user typed. Lines come oldest first. */
export function firstPromptIn(lines: Iterable<string>): string | undefined {
  for (const line of lines) {
    const fields = line.includes('"type":"user"') ? parse(line) : undefined;
    if (fields?.["type"] !== "user" || fields["isMeta"] === true || fields["isSidechain"] === true) continue;
    const text = promptOf(asObject(fields["message"])?.["content"]);
    if (text !== undefined) return text;
  }
  return undefined;
}

function promptOf(content: unknown): string | undefined {
  const blocks = Array.isArray(content) ? content.map((block) => asObject(block) ?? {}) : [{ text: content }];
  for (const block of blocks) {
    const [part] = readUserText(asText(block["text"]) ?? "");
    if (part?.kind === "text") return part.text;
  }
  return undefined;
}

function parse(line: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return undefined;
  }
}

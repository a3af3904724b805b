import { asObject, type JsonObject, parseObject } from "../json-object.ts";

/** A field is absent when the lines do not contain it. `contextTokens` is null after a compaction, when the size is unknown. */
export interface TailDescription {
  contextTokens?: number | null;
  lastStep?: string;
}

const newline = 0x0a;
const maxStepLength = 100;

/**
 * Reads the context size and the last step from the end of a transcript, backwards and only as far as needed.
 * `bytes` ends with a whole line. It may start in the middle of one, which is skipped.
 */
export function describeTail(bytes: Uint8Array): TailDescription {
  const found: TailDescription = {};
  for (const line of linesBackwards(bytes)) {
    if (found.contextTokens !== undefined && found.lastStep !== undefined) break;
    const entry = parseEntry(line);
    if (!entry || entry["isSidechain"] === true) continue;
    // Token counts from before a compaction describe the old context.
    if (entry["subtype"] === "compact_boundary" && found.contextTokens === undefined) found.contextTokens = null;
    if (entry["type"] !== "assistant" || entry["isApiErrorMessage"] === true) continue;
    const message = asObject(entry["message"]);
    const tokens = usedTokens(asObject(message?.["usage"]));
    const step = describeStep(message?.["content"]);
    if (found.contextTokens === undefined && tokens !== undefined) found.contextTokens = tokens;
    if (found.lastStep === undefined && step !== undefined) found.lastStep = step;
  }
  return found;
}

function* linesBackwards(bytes: Uint8Array): Generator<Uint8Array> {
  let end = bytes.lastIndexOf(newline);
  while (end > 0) {
    const start = bytes.lastIndexOf(newline, end - 1) + 1;
    yield bytes.subarray(start, end);
    end = start - 1;
  }
}

const parseEntry = (line: Uint8Array): JsonObject | undefined => parseObject(new TextDecoder().decode(line));

function usedTokens(usage: Record<string, unknown> | undefined): number | undefined {
  if (!usage) return undefined;
  const parts = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"].map((name) => usage[name]);
  const total = parts.reduce<number>((sum, part) => sum + (typeof part === "number" ? part : 0), 0);
  return total > 0 ? total : undefined;
}

function describeStep(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const block = asObject(content.at(-1));
  if (block?.["type"] === "text" && typeof block["text"] === "string") return shortLine(block["text"]);
  if (block?.["type"] !== "tool_use" || typeof block["name"] !== "string") return undefined;
  const input = asObject(block["input"]) ?? {};
  const subject = ["description", "command", "file_path", "path", "pattern", "url", "prompt"]
    .map((name) => input[name])
    .find((value) => typeof value === "string");
  return shortLine(subject === undefined ? block["name"] : `${block["name"]}: ${subject}`);
}

// Control characters of a transcript could control the terminal that lists its steps.
function shortLine(text: string): string | undefined {
  const flat = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  if (flat === "") return undefined;
  const characters = [...flat];
  return characters.length <= maxStepLength ? flat : `${characters.slice(0, maxStepLength - 1).join("")}…`;
}

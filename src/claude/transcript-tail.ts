/** A field is absent when these lines do not say; null tokens mean: known to be unknown, after a compaction. */
export interface TailDescription {
  contextTokens?: number | null;
  lastStep?: string;
}

const newline = 0x0a;
const stepLength = 100;

/**
 * What the end of a transcript says about its state, read backwards and only as far as needed.
 * `bytes` ends with whole lines; it may begin in the middle of one, which is then passed over.
 */
export function describeTail(bytes: Uint8Array): TailDescription {
  const found: TailDescription = {};
  for (const line of linesBackwards(bytes)) {
    if (found.contextTokens !== undefined && found.lastStep !== undefined) break;
    const entry = parseEntry(line);
    if (!entry || entry["isSidechain"] === true) continue;
    // Figures from before a compaction describe a context that is no more.
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

function parseEntry(line: Uint8Array): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(new TextDecoder().decode(line)));
  } catch {
    return undefined;
  }
}

function usedTokens(usage: Record<string, unknown> | undefined): number | undefined {
  if (!usage) return undefined;
  const parts = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"].map((name) => usage[name]);
  const total = parts.reduce<number>((sum, part) => sum + (typeof part === "number" ? part : 0), 0);
  return total > 0 ? total : undefined;
}

function describeStep(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const block = asObject(content.at(-1));
  if (block?.["type"] === "text" && typeof block["text"] === "string") return oneLine(block["text"]);
  if (block?.["type"] !== "tool_use" || typeof block["name"] !== "string") return undefined;
  const input = asObject(block["input"]) ?? {};
  const subject = ["description", "command", "file_path", "path", "pattern", "url", "prompt"]
    .map((name) => input[name])
    .find((value) => typeof value === "string");
  return oneLine(subject === undefined ? block["name"] : `${block["name"]}: ${subject}`);
}

// Control characters would let a transcript paint on the terminal that lists its steps.
function oneLine(text: string): string | undefined {
  const flat = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  if (flat === "") return undefined;
  const characters = [...flat];
  return characters.length <= stepLength ? flat : `${characters.slice(0, stepLength - 1).join("")}…`;
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

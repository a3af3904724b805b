import type { LastRequest } from "../../core/cost/cold-resume.ts";
import { asObject, asText, type JsonObject } from "../json-object.ts";

const hourMs = 3_600_000;
const fiveMinutesMs = 300_000;

/**
 * The last request of a conversation; lines are given newest first. Undefined when it has none, or was compacted since. The API keeps
 * a prompt for five minutes, or for an hour where the client asked for that, which the usage shows.
 */
export function readLastRequest(lines: Iterable<string>): LastRequest | undefined {
  for (const line of lines) {
    const fields = parse(line);
    if (fields?.["subtype"] === "compact_boundary") return undefined;
    const usage = usageIn(fields);
    const time = Date.parse(asText(fields?.["timestamp"]) ?? "");
    if (!usage || Number.isNaN(time)) continue;
    const kept = asObject(usage["cache_creation"]);
    const cacheMs = count(kept, "ephemeral_1h_input_tokens") > 0 ? hourMs : fiveMinutesMs;
    const names = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"];
    return { tokens: names.reduce((sum, name) => sum + count(usage, name), 0), time, cacheMs };
  }
  return undefined;
}

/** Tokens that the first request in these lines sent without the cache; undefined when there is none. Oldest line first. */
export function readFirstCost(lines: Iterable<string>): number | undefined {
  for (const line of lines) {
    const usage = usageIn(parse(line));
    if (usage) return count(usage, "input_tokens") + count(usage, "cache_creation_input_tokens");
  }
  return undefined;
}

/** The usage of an answer in the main conversation; undefined for other entries. */
function usageIn(fields: JsonObject | undefined): JsonObject | undefined {
  if (fields?.["type"] !== "assistant" || fields["isSidechain"] === true || fields["isApiErrorMessage"] === true) {
    return undefined;
  }
  const message = asObject(fields["message"]);
  const usage = message?.["model"] === "<synthetic>" ? undefined : asObject(message?.["usage"]);
  return usage && count(usage, "input_tokens") + count(usage, "cache_creation_input_tokens") > 0 ? usage : undefined;
}

function count(usage: JsonObject | undefined, name: string): number {
  const value = usage?.[name];
  return typeof value === "number" && value > 0 ? value : 0;
}

function parse(line: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return undefined;
  }
}

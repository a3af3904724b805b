import { maxRetriesWithoutReset } from "../stream/own-retries.ts";
import { asObject, type JsonObject, parseObject } from "../json-object.ts";
import { isInterruption } from "../transcript/user-text.ts";

/** Milliseconds since 1970: when the client repeats its request, or the reset of the limit that it waits for. */
export interface RecordedRetry {
  /** `endless`: a 429 without a reset, which the client would retry forever. */
  readonly why: "limit" | "server" | "endless";
  readonly until: number;
}

/**
 * The retry that the client waits for, by the end of its transcript; undefined when the conversation continued after it. Lines
 * are given newest first. In print mode 2.1.326 writes each retry down, 2.1.197 none; in the terminal neither does.
 */
export function readRecordedRetry(lines: Iterable<string>): RecordedRetry | undefined {
  for (const line of lines) {
    const fields = parseObject(line);
    if (!fields || fields["isSidechain"] === true) continue;
    if (isInterruption(fields)) continue;
    if (fields["type"] === "user" || fields["type"] === "assistant") return undefined;
    if (fields["type"] === "system" && fields["subtype"] === "api_error") return readRetry(fields);
  }
  return undefined;
}

function readRetry(fields: JsonObject): RecordedRetry | undefined {
  const error = asObject(fields["error"]);
  const resetsAt = asObject(error?.["rateLimits"])?.["resetsAt"];
  if (typeof resetsAt === "number") return { why: "limit", until: resetsAt * 1_000 };
  const attempt = fields["retryAttempt"];
  const isEndless = error?.["status"] === 429 && typeof attempt === "number" && attempt > maxRetriesWithoutReset;
  const delay = fields["retryInMs"];
  const until = Date.parse(String(fields["timestamp"])) + (typeof delay === "number" ? delay : Number.NaN);
  return Number.isFinite(until) ? { why: isEndless ? "endless" : "server", until } : undefined;
}

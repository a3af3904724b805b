import type { Usage } from "../core/usage.ts";
import type { ErrorFacts } from "./api-error.ts";
import { asObject, asText, type JsonObject } from "./json-object.ts";
import { parseRateLimitEvent } from "./status-line.ts";

/** What a line of `claude -p --output-format stream-json --verbose` says, as far as we use it. */
export type StreamEvent =
  | { readonly kind: "init"; readonly sessionId: string | undefined; readonly version: string | undefined }
  | { readonly kind: "text"; readonly text: string; readonly aside: boolean }
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly id: string;
      readonly input: JsonObject;
      readonly aside: boolean;
    }
  | { readonly kind: "tool-result"; readonly id: string; readonly failed: boolean; readonly details: unknown }
  | { readonly kind: "usage"; readonly usage: Usage }
  /** The account's limit stands in the way; milliseconds since 1970. */
  | { readonly kind: "limit"; readonly resetsAt: number | undefined }
  | { readonly kind: "retry"; readonly attempt: number; readonly delay: number; readonly status: number | undefined }
  /** An error that the client itself speaks of; whether the turn went on after it, the result tells. */
  | { readonly kind: "failure"; readonly facts: ErrorFacts }
  /** The tools that it was not permitted to use, each once. */
  | { readonly kind: "denied"; readonly tools: readonly string[] }
  | StreamResult;

export interface StreamResult {
  readonly kind: "result";
  readonly isError: boolean;
  readonly subtype: string;
  readonly text: string | undefined;
  /** Of this process alone. */
  readonly costUsd: number;
  readonly turns: number;
}

/** Nothing for a line that is no JSON or of a kind that we do not use: new ones will come. */
export function readStreamLine(line: string): StreamEvent[] {
  let fields: JsonObject | undefined;
  try {
    fields = asObject(JSON.parse(line));
  } catch {
    return [];
  }
  switch (fields?.["type"]) {
    case "system":
      return readSystem(fields);
    case "assistant":
      return readAssistant(fields);
    case "user":
      return readUser(fields);
    case "rate_limit_event":
      return readLimit(fields);
    case "result":
      return [...readDenials(fields), readResult(fields)];
    default:
      return [];
  }
}

function readSystem(fields: JsonObject): StreamEvent[] {
  if (fields["subtype"] === "init") {
    return [{ kind: "init", sessionId: asText(fields["session_id"]), version: asText(fields["claude_code_version"]) }];
  }
  if (fields["subtype"] !== "api_retry") return [];
  const status = fields["error_status"];
  return [
    {
      kind: "retry",
      attempt: numberOf(fields["attempt"]),
      delay: numberOf(fields["retry_delay_ms"]),
      status: typeof status === "number" ? status : undefined,
    },
  ];
}

function readAssistant(fields: JsonObject): StreamEvent[] {
  const blocks = blocksOf(fields);
  const aside = asText(fields["parent_tool_use_id"]) !== undefined;
  if (isError(fields)) return aside ? [] : [{ kind: "failure", facts: errorFacts(fields, blocks) }];
  return blocks.flatMap((block): StreamEvent[] => {
    const text = block["type"] === "text" ? asText(block["text"]) : undefined;
    if (text !== undefined) return [{ kind: "text", text, aside }];
    const name = block["type"] === "tool_use" ? asText(block["name"]) : undefined;
    if (name === undefined) return [];
    return [{ kind: "tool", name, id: asText(block["id"]) ?? "", input: asObject(block["input"]) ?? {}, aside }];
  });
}

// The client's own words have no model. Which field says so differs by version; a model's words have neither.
const isError = (fields: JsonObject): boolean =>
  asObject(fields["message"])?.["model"] === "<synthetic>" &&
  (fields["is_api_error_message"] === true || fields["isApiErrorMessage"] === true || "error" in fields);

function errorFacts(fields: JsonObject, blocks: readonly JsonObject[]): ErrorFacts {
  const status = fields["api_error_status"];
  const resetsAt = asObject(asObject(fields["api_error_params"])?.["rate_limit_info"])?.["resetsAt"];
  return {
    error: asText(fields["error"]),
    status: typeof status === "number" ? status : undefined,
    details: asText(fields["error_details"]),
    quotaResetsAt: epoch(resetsAt),
    text: blocks.map((block) => asText(block["text"]) ?? "").join("\n"),
  };
}

function readUser(fields: JsonObject): StreamEvent[] {
  return blocksOf(fields).flatMap((block): StreamEvent[] => {
    const id = block["type"] === "tool_result" ? asText(block["tool_use_id"]) : undefined;
    if (id === undefined) return [];
    return [{ kind: "tool-result", id, failed: block["is_error"] === true, details: fields["tool_use_result"] }];
  });
}

function readLimit(fields: JsonObject): StreamEvent[] {
  const usage = parseRateLimitEvent(fields);
  const told = asObject(fields["rate_limit_info"]);
  const events: StreamEvent[] = usage && Object.keys(usage).length > 0 ? [{ kind: "usage", usage }] : [];
  // Paid for beyond the limit is not stopped by it.
  if (told?.["status"] === "rejected" && told["isUsingOverage"] !== true) {
    events.push({ kind: "limit", resetsAt: epoch(told["resetsAt"]) });
  }
  return events;
}

function readDenials(fields: JsonObject): StreamEvent[] {
  const denials = fields["permission_denials"];
  const names = (Array.isArray(denials) ? denials : []).flatMap((each) => asText(asObject(each)?.["tool_name"]) ?? []);
  return names.length === 0 ? [] : [{ kind: "denied", tools: [...new Set(names)] }];
}

function readResult(fields: JsonObject): StreamResult {
  return {
    kind: "result",
    isError: fields["is_error"] === true,
    subtype: asText(fields["subtype"]) ?? "",
    text: typeof fields["result"] === "string" ? fields["result"] : undefined,
    costUsd: costOf(fields),
    turns: numberOf(fields["num_turns"]),
  };
}

/** Recent clients add up the whole session over its resumes, and tell beside it what is new; older ones count anew. */
function costOf(fields: JsonObject): number {
  const fresh = asObject(fields["model_usage_since_last_result"]);
  if (!fresh) return numberOf(fields["total_cost_usd"]);
  return Object.values(fresh).reduce<number>((sum, model) => sum + numberOf(asObject(model)?.["costUSD"]), 0);
}

const numberOf = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const epoch = (value: unknown): number | undefined =>
  typeof value === "number" && value > 0 && value < 1e11 ? value * 1000 : undefined;

function blocksOf(fields: JsonObject): JsonObject[] {
  const content = asObject(fields["message"])?.["content"];
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.map((block) => asObject(block) ?? {}) : [];
}

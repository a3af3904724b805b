import type { Usage } from "../../core/checkpoint/usage.ts";
import type { ErrorFacts } from "../limits/api-error.ts";
import { asObject, asText, type JsonObject, parseObject } from "../json-object.ts";
import { messageBlocks } from "../message-blocks.ts";
import { parseRateLimitEvent } from "../screen/status-line.ts";

/** The parts of a line of `claude -p --output-format stream-json --verbose` that we use. */
export type StreamEvent =
  | { readonly kind: "init"; readonly sessionId: string | undefined; readonly version: string | undefined }
  | { readonly kind: "text"; readonly text: string; readonly bySubagent: boolean }
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly id: string;
      readonly input: JsonObject;
      readonly bySubagent: boolean;
    }
  | { readonly kind: "tool-result"; readonly id: string; readonly failed: boolean; readonly details: unknown }
  | { readonly kind: "usage"; readonly usage: Usage }
  /** The account's usage limit rejects requests; milliseconds since 1970. */
  | {
      readonly kind: "limit";
      readonly resetsAt: number | undefined;
      /** It is the limit of the whole plan, not of one model or of money. */
      readonly isOfPlan: boolean;
    }
  /** The client repeats its request after `delay` milliseconds. With its retry watchdog it continues after `maxRetries`. */
  | {
      readonly kind: "retry";
      readonly attempt: number;
      readonly maxRetries: number;
      readonly delay: number;
      readonly status: number | undefined;
    }
  /** An error that the client itself reports. The result says whether the turn continued after it. */
  | { readonly kind: "failure"; readonly facts: ErrorFacts }
  /** Tools that Claude was not permitted to use, without duplicates. */
  | { readonly kind: "denied"; readonly tools: readonly string[] }
  /** A command or subagent in the background; `about`: what it does. */
  | { readonly kind: "task-started"; readonly id: string; readonly about: string }
  | { readonly kind: "task-ended"; readonly id: string }
  /** All that are running now; since 2.1.326. */
  | { readonly kind: "tasks"; readonly running: readonly { readonly id: string; readonly about: string }[] }
  /** A hook of the user stopped the prompt. */
  | { readonly kind: "hook-stop"; readonly reason: string }
  | StreamResult;

export interface StreamResult {
  readonly kind: "result";
  readonly isError: boolean;
  readonly subtype: string;
  readonly text: string | undefined;
  /** Why the turn ended, and why the API ended the last answer; undefined in old versions. */
  readonly terminalReason: string | undefined;
  readonly stopReason: string | undefined;
  /** It has text or structured output. */
  readonly hasAnswer: boolean;
  /** The tool call that a hook left to the caller. */
  readonly deferred: { readonly name: string; readonly input: JsonObject } | undefined;
  readonly costUsd: number;
  /** The cost is that of this process so far; else that since the last result. */
  readonly isTotalCost: boolean;
  readonly turns: number;
}

/** Empty for a line that is not JSON or has an unknown type: newer clients add types. */
export function readStreamLine(line: string): StreamEvent[] {
  const fields = parseObject(line);
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
  if (fields["subtype"] !== "api_retry") return readNotice(fields);
  const status = fields["error_status"];
  return [
    {
      kind: "retry",
      attempt: numberOf(fields["attempt"]),
      maxRetries: numberOf(fields["max_retries"]),
      delay: numberOf(fields["retry_delay_ms"]),
      status: typeof status === "number" ? status : undefined,
    },
  ];
}

function readNotice(fields: JsonObject): StreamEvent[] {
  const id = asText(fields["task_id"]);
  switch (fields["subtype"]) {
    case "task_started":
      return id === undefined || fields["is_backgrounded"] === false
        ? []
        : [{ kind: "task-started", ...readTask(fields) }];
    case "task_notification":
      return id === undefined ? [] : [{ kind: "task-ended", id }];
    case "background_tasks_changed": {
      const tasks = fields["tasks"];
      return Array.isArray(tasks)
        ? [{ kind: "tasks", running: tasks.map((each) => readTask(asObject(each) ?? {})) }]
        : [];
    }
    case "informational": {
      if (fields["prevent_continuation"] !== true) return [];
      const reason = asText(asObject(fields["prompt_submit_outcome"])?.["reason"]) ?? asText(fields["content"]) ?? "";
      return [{ kind: "hook-stop", reason: withoutPreface(reason.replace(/\n\nOriginal prompt:[^]*$/, "")) }];
    }
    default:
      return [];
  }
}

const readTask = (fields: JsonObject): { readonly id: string; readonly about: string } => ({
  id: asText(fields["task_id"]) ?? "",
  about: asText(fields["description"]) ?? asText(fields["task_type"]) ?? "",
});

/** What the client puts before the words of a hook. */
const prefaces = /^(Operation stopped by hook: |UserPromptSubmit operation blocked by hook:\s*)/;
const withoutPreface = (text: string): string => text.replace(prefaces, "");

function readAssistant(fields: JsonObject): StreamEvent[] {
  const blocks = messageBlocks(fields);
  const bySubagent = asText(fields["parent_tool_use_id"]) !== undefined;
  // What became of a subagent is read from its transcript.
  if (isError(fields)) return bySubagent ? [] : [{ kind: "failure", facts: errorFacts(fields, blocks) }];
  return blocks.flatMap((block): StreamEvent[] => {
    const text = block["type"] === "text" ? asText(block["text"]) : undefined;
    if (text !== undefined) return [{ kind: "text", text, bySubagent }];
    const name = block["type"] === "tool_use" ? asText(block["name"]) : undefined;
    if (name === undefined) return [];
    return [{ kind: "tool", name, id: asText(block["id"]) ?? "", input: asObject(block["input"]) ?? {}, bySubagent }];
  });
}

// The client's own text has the model "<synthetic>". The field that marks an error differs by version.
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
  return messageBlocks(fields).flatMap((block): StreamEvent[] => {
    const id = block["type"] === "tool_result" ? asText(block["tool_use_id"]) : undefined;
    if (id === undefined) return [];
    const details = fields["tool_use_result"];
    return [{ kind: "tool-result", id, failed: block["is_error"] === true, details }];
  });
}

function readLimit(fields: JsonObject): StreamEvent[] {
  const usage = parseRateLimitEvent(fields);
  const info = asObject(fields["rate_limit_info"]);
  const events: StreamEvent[] = usage && Object.keys(usage).length > 0 ? [{ kind: "usage", usage }] : [];
  // With paid overage the limit does not stop requests.
  if (info?.["status"] === "rejected" && info["isUsingOverage"] !== true) {
    const isOfPlan = info["rateLimitType"] === "five_hour" || info["rateLimitType"] === "seven_day";
    events.push({ kind: "limit", resetsAt: epoch(info["resetsAt"]), isOfPlan });
  }
  return events;
}

function readDenials(fields: JsonObject): StreamEvent[] {
  const denials = fields["permission_denials"];
  const names = (Array.isArray(denials) ? denials : []).flatMap((each) => asText(asObject(each)?.["tool_name"]) ?? []);
  return names.length === 0 ? [] : [{ kind: "denied", tools: [...new Set(names)] }];
}

function readResult(fields: JsonObject): StreamResult {
  const text = typeof fields["result"] === "string" ? fields["result"] : undefined;
  const deferred = asObject(fields["deferred_tool_use"]);
  return {
    kind: "result",
    isError: fields["is_error"] === true,
    subtype: asText(fields["subtype"]) ?? "",
    text,
    terminalReason: asText(fields["terminal_reason"]),
    stopReason: asText(fields["stop_reason"]),
    hasAnswer: (text ?? "").trim() !== "" || fields["structured_output"] !== undefined,
    deferred: deferred && { name: asText(deferred["name"]) ?? "", input: asObject(deferred["input"]) ?? {} },
    costUsd: costOf(fields),
    isTotalCost: asObject(fields["model_usage_since_last_result"]) === undefined,
    turns: numberOf(fields["num_turns"]),
  };
}

/** Recent clients report the total over all resumes and, separately, the part since the last result. Older ones start at 0. */
function costOf(fields: JsonObject): number {
  const fresh = asObject(fields["model_usage_since_last_result"]);
  if (!fresh) return numberOf(fields["total_cost_usd"]);
  return Object.values(fresh).reduce<number>((sum, model) => sum + numberOf(asObject(model)?.["costUSD"]), 0);
}

const numberOf = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const epoch = (value: unknown): number | undefined =>
  typeof value === "number" && value > 0 && value < 1e11 ? value * 1000 : undefined;

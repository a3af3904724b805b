// The answers of the fake API. Each function makes one reply; a story puts replies in order.
import type { ContentBlock, TokenUsage } from "./sse.ts";
import { reachedHeaders, usageHeaders, type LimitReached, type LimitUsage } from "./limit-headers.ts";
import type { RecordedRequest } from "./recorded-request.ts";

export type Answer =
  | {
      readonly kind: "message";
      readonly blocks: readonly ContentBlock[];
      readonly usage: TokenUsage;
      readonly stopReason: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
      /** Whether the stream reaches its end, is cut off, or stays open until the test releases it. */
      readonly ending: "complete" | "drops" | "hangs";
    }
  | {
      readonly kind: "failure";
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** An answer, or a function that makes it when the request arrives; a promise keeps the client waiting. */
export type Reply = Answer | ((request: RecordedRequest) => Answer | Reply | Promise<Answer | Reply>);

export interface ReplyOptions {
  readonly usage?: TokenUsage;
  /** A subscriber's usage, reported in the reply's headers. */
  readonly limit?: LimitUsage;
  /** Why the model stopped; by default `tool_use` after a tool call, else `end_turn`. */
  readonly stopReason?: string;
}

/** An answer without any content. */
export function saysNothing(options: ReplyOptions = {}): Reply {
  return message(() => [], "complete", options);
}

export function says(text: string, options: ReplyOptions = {}): Reply {
  return message(() => textBlocks(text), "complete", options);
}

/** Calls one tool, with a line of text before it when `saying` is given. */
export function callsTool(
  name: string,
  input: Readonly<Record<string, unknown>>,
  options: ReplyOptions & { readonly saying?: string } = {},
): Reply {
  return message(() => beginning({ ...options, calling: [name, input] }), "complete", options);
}

/** What a stream sends before it stops: text, a complete tool call, or both. */
export interface Beginning {
  readonly saying?: string;
  readonly calling?: readonly [tool: string, input: Readonly<Record<string, unknown>>];
}

/** Starts a stream and then sends nothing until `api.release()` or `api.drop()`, or until the client disconnects. */
export function hangs(options: ReplyOptions & Beginning = {}): Reply {
  return message(() => beginning(options), "hangs", options);
}

/**
 * Starts a stream and cuts the connection at once. How much the client receives is a race: where that matters, use `hangs`
 * and call `api.drop()` when the client has shown what it received.
 */
export function drops(options: ReplyOptions & Beginning = {}): Reply {
  return message(() => beginning({ saying: "I will", ...options }), "drops", options);
}

/** Every way the API refuses a request. */
export const failure = {
  /** A subscriber's five-hour or weekly limit. */
  limit:
    (limit: LimitReached): Reply =>
    () =>
      fails(429, "rate_limit_error", "This request would exceed your account's rate limit.", reachedHeaders(limit)),
  /** An API customer's rate limit: the same status without the unified headers. */
  apiKeyLimit: (): Reply => fails(429, "rate_limit_error", "Number of request tokens has exceeded your rate limit"),
  overloaded: (): Reply => fails(529, "overloaded_error", "Overloaded"),
  serverError: (): Reply => fails(500, "api_error", "Internal server error"),
  unauthorized: (): Reply => (request) =>
    fails(401, "authentication_error", request.headers.has("x-api-key") ? "invalid x-api-key" : "Invalid bearer token"),
  creditBalance: (): Reply =>
    fails(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
  promptTooLong: ({ tokens = 210_000, maximum = 200_000 } = {}): Reply =>
    fails(400, "invalid_request_error", `prompt is too long: ${tokens} tokens > ${maximum} maximum`),
} as const;

let toolCalls = 0;

function toolCall(name: string, input: Readonly<Record<string, unknown>>): ContentBlock {
  toolCalls += 1;
  return { type: "tool_use", id: `toolu_fake_${String(toolCalls).padStart(6, "0")}`, name, input };
}

function beginning({ saying, calling }: Beginning): readonly ContentBlock[] {
  return [...textBlocks(saying), ...(calling === undefined ? [] : [toolCall(...calling)])];
}

function textBlocks(text: string | undefined): readonly ContentBlock[] {
  return text === undefined ? [] : [{ type: "text", text }];
}

function message(
  blocks: () => readonly ContentBlock[],
  ending: "complete" | "drops" | "hangs",
  { usage = {}, limit, stopReason }: ReplyOptions,
): Reply {
  // Made when it is sent, so that every repetition of a tool call gets its own id and a reset time counts from then.
  return () => ({
    kind: "message",
    blocks: blocks(),
    ending,
    usage,
    stopReason,
    headers: limit === undefined ? {} : usageHeaders(limit),
  });
}

function fails(status: number, type: string, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { kind: "failure", status, type, message, headers };
}

import type { DemoTurn } from "../core/demo-script.ts";
import type { JsonObject } from "./json-object.ts";

/** What the demo's scripted Claude has to know to write as the real one does. */
export interface DemoSession {
  readonly sessionId: string;
  readonly cwd: string;
  readonly version: string;
  readonly time: string;
}

const model = "scripted";

/** A line of a transcript. The stream has the same messages with other words around them. */
export const demoLine = (session: DemoSession, parentUuid: string | null, uuid: string, fields: JsonObject): string =>
  JSON.stringify({
    parentUuid,
    isSidechain: false,
    userType: "external",
    cwd: session.cwd,
    sessionId: session.sessionId,
    version: session.version,
    ...fields,
    uuid,
    timestamp: session.time,
  });

export const demoStreamLine = ({ sessionId }: DemoSession, fields: JsonObject): string =>
  JSON.stringify({ ...fields, session_id: sessionId, parent_tool_use_id: null });

export const promptRecord = (text: string): JsonObject => ({ type: "user", message: { role: "user", content: text } });

export function sayRecord(id: string, text: string, tokens: number): JsonObject {
  return { type: "assistant", message: message(id, [{ type: "text", text }], tokens) };
}

export function callRecord(id: string, { tool, subject, content, tokens }: DemoTurn): JsonObject {
  const input = tool === "Bash" ? { command: subject } : { file_path: subject, ...(content ? { content } : {}) };
  return {
    type: "assistant",
    message: message(id, [{ type: "tool_use", id: `toolu_${id}`, name: tool, input }], tokens),
  };
}

export function resultRecord(id: string, { answer }: DemoTurn): JsonObject {
  const text = "ok ".repeat(Math.ceil(answer / 3)).slice(0, answer);
  const block = { type: "tool_result", tool_use_id: `toolu_${id}`, content: text, is_error: false };
  return { type: "user", message: { role: "user", content: [block] } };
}

/** The client's own words about an error; the stream and the transcript spell its fields differently. */
export function errorRecord(id: string, text: string, error: { kind: string; details?: string; resetsAt?: number }) {
  const { kind, details, resetsAt } = error;
  const body = { ...message(id, [{ type: "text", text }], 0), model: "<synthetic>" };
  const base = { type: "assistant", message: body, error: kind };
  return {
    transcript: {
      ...base,
      isApiErrorMessage: true,
      ...(details ? { errorDetails: details } : {}),
      ...(resetsAt ? { quotaLimits: { resetsAt } } : {}),
    },
    stream: { ...base, is_api_error_message: true, ...(details ? { error_details: details } : {}) },
  };
}

export const limitEvent = (resetsAt: number): JsonObject => ({
  type: "rate_limit_event",
  rate_limit_info: { status: "rejected", resetsAt, rateLimitType: "five_hour", utilization: 1 },
});

export const initEvent = ({ cwd, version }: DemoSession): JsonObject => ({
  type: "system",
  subtype: "init",
  cwd,
  model,
  claude_code_version: version,
});

export const resultEvent = (text: string, isError: boolean, turns: number): JsonObject => ({
  type: "result",
  subtype: "success",
  is_error: isError,
  num_turns: turns,
  result: text,
  total_cost_usd: 0,
});

function message(id: string, content: JsonObject[], tokens: number): JsonObject {
  const usage = {
    input_tokens: 12,
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: 0,
    output_tokens: 90,
  };
  return { id: `msg_${id}`, type: "message", role: "assistant", model, content, ...(tokens > 0 ? { usage } : {}) };
}

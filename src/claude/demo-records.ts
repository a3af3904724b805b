import type { DemoTurn } from "../core/demo-script.ts";
import type { HookEvent } from "./hooks/hook-event.ts";
import { asObject, asText, type JsonObject } from "./json-object.ts";

/** The session that the demo's scripted claude writes about. */
export interface DemoSession {
  readonly sessionId: string;
  readonly cwd: string;
  readonly version: string;
  readonly time: string;
}

const model = "scripted";

/** A transcript line. A stream line has the same message in a different envelope. */
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
  const input = { ...inputOf({ tool, subject }), ...(content ? { content } : {}) };
  return {
    type: "assistant",
    message: message(id, [{ type: "tool_use", id: `toolu_${id}`, name: tool, input }], tokens),
  };
}

const inputOf = ({ tool, subject }: Pick<DemoTurn, "tool" | "subject">): JsonObject =>
  tool === "Bash" ? { command: subject } : { file_path: subject };

const toolFields = (turn: DemoTurn): JsonObject => ({ tool_name: turn.tool, tool_input: inputOf(turn) });

export function resultRecord(id: string, { answer }: DemoTurn): JsonObject {
  const text = "ok ".repeat(Math.ceil(answer / 3)).slice(0, answer);
  const block = { type: "tool_result", tool_use_id: `toolu_${id}`, content: text, is_error: false };
  return { type: "user", message: { role: "user", content: [block] } };
}

/** An error as claude reports it. */
export interface DemoError {
  readonly text: string;
  readonly kind: string;
  readonly details?: string;
  readonly resetsAt?: number;
}

/** `resetsAt` in seconds since 1970. */
export const limitError = (resetsAt: number): DemoError => ({
  text: "You've hit your session limit",
  kind: "rate_limit",
  resetsAt,
});

export const tooLongError = (tokens: number): DemoError => ({
  text: "Prompt is too long",
  kind: "invalid_request",
  details: `prompt is too long: ${tokens} tokens > 200000 maximum`,
});

/** The transcript and the stream have different names for the same fields. */
export function errorRecord(id: string, { text, kind, details, resetsAt }: DemoError) {
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

/** A call of a hook: the event, and the fields that the event adds to the payload. */
export interface DemoHookCall {
  readonly event: HookEvent;
  readonly fields: JsonObject;
}

export const demoHookCalls = {
  sessionStart: (isResumed: boolean): DemoHookCall => ({
    event: "SessionStart",
    fields: { source: isResumed ? "resume" : "startup" },
  }),
  prompt: (prompt: string): DemoHookCall => ({ event: "UserPromptSubmit", fields: { prompt } }),
  beforeCall: (turn: DemoTurn): DemoHookCall => ({ event: "PreToolUse", fields: toolFields(turn) }),
  toolCall: (turn: DemoTurn): DemoHookCall => ({ event: "PostToolUse", fields: toolFields(turn) }),
  answer: (answer: string): DemoHookCall => ({ event: "Stop", fields: { last_assistant_message: answer } }),
  failure: ({ kind }: DemoError): DemoHookCall => ({ event: "StopFailure", fields: { error: kind } }),
  sessionEnd: (): DemoHookCall => ({ event: "SessionEnd", fields: { reason: "other" } }),
};

/** The parent of the next line. */
export const uuidOfLine = (line: string): string | undefined => asText(asObject(JSON.parse(line))?.["uuid"]);

/** A minimal transcript line, for our own tests of an installation. */
export const sampleRecord = '{"type":"user","uuid":"1","message":{"content":"hello"}}';

function message(id: string, content: JsonObject[], tokens: number): JsonObject {
  const usage = {
    input_tokens: 12,
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: 0,
    output_tokens: 90,
  };
  return { id: `msg_${id}`, type: "message", role: "assistant", model, content, ...(tokens > 0 ? { usage } : {}) };
}

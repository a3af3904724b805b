import { expect, test } from "bun:test";
import { parseHookPayload } from "../../src/claude/hook-payload.ts";

test("reads what our hooks use and passes over the rest", () => {
  const payload = {
    session_id: "s",
    transcript_path: "/t.jsonl",
    cwd: "/p",
    hook_event_name: "Stop",
    last_assistant_message: "done",
    source: "resume",
    agent_id: "a",
    duration_ms: 5,
    tool_response: { anything: true },
  };
  expect(parseHookPayload(JSON.stringify(payload))).toEqual({
    event: "Stop",
    sessionId: "s",
    transcriptPath: "/t.jsonl",
    cwd: "/p",
    source: "resume",
    agentId: "a",
    lastAssistantMessage: "done",
    durationMs: 5,
    fields: payload,
    reason: undefined,
    error: undefined,
  });
});

test.each([
  "",
  "   ",
  "null",
  "[]",
  "3",
  '"text"',
  "{",
  "{}",
  '{"session_id":"s"}',
  '{"hook_event_name":"Stop"}',
  '{"session_id":5,"hook_event_name":"Stop"}',
])("%j is no payload", (text) => expect(parseHookPayload(text)).toBeUndefined());

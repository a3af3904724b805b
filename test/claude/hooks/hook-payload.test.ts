import { expect, test } from "bun:test";
import { handlingOf } from "../../../src/claude/hooks/hook-event.ts";
import { formatHookPayload, parseHookPayload } from "../../../src/claude/hooks/hook-payload.ts";

test("reads the fields our hooks use and ignores the rest", () => {
  const payload = {
    session_id: "s",
    transcript_path: "/t.jsonl",
    cwd: "/p",
    hook_event_name: "Stop",
    last_assistant_message: "done",
    source: "resume",
    agent_id: "a",
    duration_ms: 5,
    permission_mode: "plan",
    tool_response: { anything: true },
  };
  expect(parseHookPayload(JSON.stringify(payload))).toEqual({
    event: "Stop",
    handling: handlingOf("Stop"),
    snapshot: "any-growth",
    sessionId: "s",
    transcriptPath: "/t.jsonl",
    cwd: "/p",
    source: "resume",
    agentId: "a",
    lastAssistantMessage: "done",
    durationMs: 5,
    permissionMode: "plan",
    fields: payload,
    reason: undefined,
    error: undefined,
  });
});

test("reads back a payload of our own", () => {
  const call = { event: "Stop", sessionId: "s", transcriptPath: "/t.jsonl", cwd: "/p" } as const;
  expect(parseHookPayload(formatHookPayload(call, { reason: "other" }))).toMatchObject({ ...call, reason: "other" });
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
])("rejects %j", (text) => expect(parseHookPayload(text)).toBeUndefined());

import { expect, test } from "bun:test";
import { readFinishedCall } from "../../../src/claude/hooks/finished-call.ts";
import { parseHookPayload } from "../../../src/claude/hooks/hook-payload.ts";
import { CallReader } from "../../../src/claude/stream/call-reader.ts";

const inBackground = { command: "make", run_in_background: true };

function finish(input: object, response: object): string | undefined {
  const call = { tool_use_id: "a", tool_name: "Bash", tool_input: input, tool_response: response };
  const payload = parseHookPayload(JSON.stringify({ hook_event_name: "PostToolUse", session_id: "s", ...call }));
  return payload && readFinishedCall(payload)?.state;
}

test("a command that runs in the background has only started when its tool call ends", () => {
  expect(finish({ command: "make" }, { stdout: "ok" })).toBe("completed");
  expect(finish(inBackground, { stdout: "" })).toBe("started");
  expect(finish({ command: "make" }, { stdout: "", backgroundTaskId: "b1" })).toBe("started");
  expect(finish({ prompt: "Look" }, { isAsync: true, status: "async_launched" })).toBe("started");
});

test("the stream of a run is read by the same rule", () => {
  const reader = new CallReader();
  reader.read({ kind: "tool", id: "a", name: "Bash", input: inBackground, bySubagent: false });
  expect(reader.read({ kind: "tool-result", id: "a", failed: false, details: { stdout: "" } })).toEqual([]);
});

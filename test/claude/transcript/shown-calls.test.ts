import { expect, test } from "bun:test";
import { readShownCalls } from "../../../src/claude/transcript/shown-calls.ts";

let uuids = 0;
const line = (type: "user" | "assistant", second: number, message: object, more: object = {}): string =>
  JSON.stringify({
    type,
    uuid: `u${uuids++}`,
    timestamp: new Date(second * 1_000).toISOString(),
    message: { role: type, ...message },
    ...more,
  });

const call = (second: number, id: string, messageId: string): string =>
  line("assistant", second, {
    id: messageId,
    content: [{ type: "tool_use", id, name: "Bash", input: { command: `run ${id}` } }],
  });
const result = (second: number, id: string, text = "ok"): string =>
  line("user", second, { content: [{ type: "tool_result", tool_use_id: id, content: text }] });
const read = (lines: readonly string[], wanted: readonly string[] = []) => readShownCalls(lines.toReversed(), wanted);

test("finds the start of Claude's last message, its open calls and all results", () => {
  const shown = read(
    [call(1, "a", "m1"), result(2, "a"), call(3, "b", "m2"), call(4, "c", "m2"), result(5, "c")],
    ["a"],
  );
  expect(shown.answeredAt).toBe(3_000);
  expect([...shown.results].sort()).toEqual(["a", "c"]);
  expect(shown.open).toEqual([{ id: "b", tool: "Bash", about: "run b" }]);
});

test("the result that the client writes for an interrupted call is none", () => {
  const interrupted = result(
    2,
    "a",
    "[Tool call interrupted: the session ended before this call's result was recorded]",
  );
  expect(read([call(1, "a", "m1"), interrupted])).toMatchObject({ open: [{ id: "a" }] });
});

test("errors of the client, subagents and damaged lines are no answers", () => {
  const error = line(
    "assistant",
    5,
    { id: "e", content: [{ type: "text", text: "API Error" }] },
    { isApiErrorMessage: true },
  );
  const aside = line("assistant", 6, { id: "s", content: [{ type: "text", text: "Hi" }] }, { isSidechain: true });
  expect(read([call(1, "a", "m1"), error, aside, "\0\0\0", '{"torn'])).toMatchObject({
    answeredAt: 1_000,
    open: [{ id: "a" }],
  });
});

test("an empty transcript shows nothing", () => {
  expect(read([])).toEqual({ answeredAt: null, results: new Set(), open: [] });
});

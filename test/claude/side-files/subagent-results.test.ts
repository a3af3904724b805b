import { expect, test } from "bun:test";
import { readReturnedErrors } from "../../../src/claude/side-files/subagent-results.ts";

const now = Date.parse("2026-11-18T05:50:00Z");
const day = 86_400_000;
const clock = { now, latestReset: now + 8 * day, latestSpendReset: now + 40 * day, zone: "UTC" };
const limitText = "You've hit your session limit · resets 5:51am (UTC)";

const line = (time: string, toolUseResult: unknown): string =>
  JSON.stringify({ type: "user", timestamp: `2026-11-18T${time}Z`, toolUseResult });
const result = (text: string): unknown => ({
  status: "completed",
  agentId: "a34c7bf",
  content: [{ type: "text", text }],
});

const kinds = (lines: string[], since = Date.parse("2026-11-18T05:40:00Z")): string[] =>
  readReturnedErrors(lines, since, clock).map(({ kind }) => kind);

test("reads the limit that a subagent returned, with its reset", () => {
  expect(readReturnedErrors([line("05:49:00", result(limitText))], 0, clock)).toEqual([
    { kind: "limit", resetsAt: Date.parse("2026-11-18T05:51:00Z") },
  ]);
});

test.each([
  ["a report about a limit", [line("05:49:00", result(`The API said: ${limitText}`))], ["other"]],
  ["an empty result", [line("05:49:00", { agentId: "a1", content: [] })], ["other"]],
  ["another tool's output", [line("05:49:00", { stdout: limitText })], []],
  ["a limit before the turn", [line("05:49:00", { stdout: "" }), line("05:30:00", result(limitText))], []],
  ["a torn line", ['{"type":"user","toolUseResult":{"agentId":"a'], []],
])("takes %s for no limit", (_, lines, expected) => {
  expect(kinds(lines)).toEqual(expected);
});

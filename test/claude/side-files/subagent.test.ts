import { expect, test } from "bun:test";
import {
  readStoppedSubagents,
  readSubagent,
  readSubagentTask,
  subagentId,
} from "../../../src/claude/side-files/subagent.ts";

const clock = { now: 0, zone: "UTC", latestReset: 1e15, latestSpendReset: 1e15 };
const timestamp = "2026-11-18T12:00:00.000Z";
const user = (content: unknown): object => ({ type: "user", isSidechain: true, timestamp, message: { content } });
const assistant = (content: unknown, more: object = {}, stop: string | null = null): object => ({
  type: "assistant",
  isSidechain: true,
  timestamp,
  message: { content, stop_reason: stop },
  ...more,
});
const text = (words: string): object => ({ type: "text", text: words });
const write = { type: "tool_use", id: "t1", name: "Write", input: { file_path: "/w/found.txt", content: "x" } };
const result = { type: "tool_result", tool_use_id: "t1", content: "ok" };
const failed = (words: string, more: object): object =>
  assistant([text(words)], { isApiErrorMessage: true, ...more }, "stop_sequence");

const read = (...entries: readonly object[]) =>
  readSubagent(entries.map((entry) => JSON.stringify(entry)).toReversed(), clock);

const begun = [user("look"), assistant([text("The bug is in line 7.")], {}, "tool_use"), assistant([write])];

test.each([
  ["after a tool result", [...begun, user([result])], "open"],
  ["at a tool call", begun, "open"],
  ["at a text before a call that is not written yet", begun.slice(0, 2), "open"],
  ["at its prompt", begun.slice(0, 1), "open"],
  ["with an answer", [...begun, user([result]), assistant([text("Done.")], {}, "end_turn")], "finished"],
  ["with an answer of 2.1.36, which has no reason", [...begun, user([result]), assistant([text("Done.")])], "finished"],
  ["stopped by the user", [...begun, user([text("[Request interrupted by user for tool use]")])], "stopped"],
  ["at a limit", [...begun, failed("You've hit your session limit", { error: "rate_limit" })], "limit"],
  ["at a 529", [...begun, failed("API Error: 529 Overloaded.", { apiErrorStatus: 529 })], "api-error"],
] as const)("a transcript that ends %s", (_, entries, ending) => {
  expect(read(...entries)?.ending).toBe(ending);
});

test("the work has the last words, the last step and the files", () => {
  const work = read(...begun, user([result]), failed("API Error: 500", { apiErrorStatus: 500 }));
  expect(work).toMatchObject({
    lastWords: "The bug is in line 7.",
    lastStep: "Write /w/found.txt",
    files: ["/w/found.txt"],
    time: Date.parse(timestamp),
  });
});

test("a transcript without a message, or with broken lines, says nothing", () => {
  expect(readSubagent(["{", `{"type":"progress"}`], clock)).toBeUndefined();
});

test("the task is the description, else the prompt", () => {
  const prompt = JSON.stringify(user("look for it"));
  expect(readSubagentTask(`{"description":"look","agentType":"Explore"}`, prompt)).toEqual({
    task: "look",
    type: "Explore",
  });
  expect(readSubagentTask("", prompt)).toEqual({ task: "look for it", type: null });
});

test("only the transcripts of subagents have an id", () => {
  expect(subagentId("agent-a0bdd1729324f9e40.jsonl")).toBe("a0bdd1729324f9e40");
  expect(subagentId("agent-a7f1112.jsonl")).toBe("a7f1112");
  expect(subagentId("agent-acompact-0bdd1729.jsonl")).toBeUndefined();
  expect(subagentId("agent-a7f1112.meta.json")).toBeUndefined();
});

test("a notice tells which subagent Claude stopped", () => {
  const notice = (id: string, status: string): string =>
    JSON.stringify({ content: `<task-notification>\n<task-id>${id}</task-id>\n<status>${status}</status>` });
  expect([
    ...readStoppedSubagents([notice("a1", "killed"), notice("a2", "failed"), "<status>killed</status>"]),
  ]).toEqual(["a1"]);
});

import { describe, expect, test } from "bun:test";
import { describeTail } from "../../../src/claude/transcript/transcript-tail.ts";

const bytes = (...lines: unknown[]): Uint8Array =>
  new TextEncoder().encode(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));

const assistant = (content: unknown, usage?: object, more: object = {}): object => ({
  type: "assistant",
  message: { content: [content], usage },
  ...more,
});
const text = (words: string): object => ({ type: "text", text: words });
const usage = (input: number, read = 0, created = 0): object => ({
  input_tokens: input,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: created,
  output_tokens: 999,
});

describe("the tokens of the last request", () => {
  test("are the sum of input, cache read and cache creation", () => {
    expect(describeTail(bytes(assistant(text("a"), usage(1, 20, 300)))).contextTokens).toBe(321);
  });
  test("come from the last answer that has them", () => {
    const tail = bytes(assistant(text("a"), usage(1)), assistant(text("b"), usage(2)), { type: "user" });
    expect(describeTail(tail).contextTokens).toBe(2);
  });
  test("ignore subagents and the client's error messages", () => {
    const tail = bytes(
      assistant(text("a"), usage(5)),
      assistant(text("b"), usage(70_000), { isSidechain: true }),
      assistant(text("limit"), usage(0), { isApiErrorMessage: true }),
    );
    expect(describeTail(tail)).toEqual({ contextTokens: 5, lastStep: "a" });
  });
  test("are unknown right after a compaction, and known again after the next answer", () => {
    const boundary = { type: "system", subtype: "compact_boundary" };
    const before = assistant(text("a"), usage(150_000));
    expect(describeTail(bytes(before, boundary)).contextTokens).toBeNull();
    expect(describeTail(bytes(before, boundary, assistant(text("b"), usage(9_000)))).contextTokens).toBe(9_000);
  });
  test("are absent when the lines do not contain them", () => {
    expect(describeTail(bytes({ type: "user" }))).toEqual({});
  });
});

describe("the last step", () => {
  const tool = (name: string, input: object): object => assistant({ type: "tool_use", name, input });
  test.each([
    [tool("Bash", { command: "npm test", description: "Run the tests" }), "Bash: Run the tests"],
    [tool("Bash", { command: "npm test" }), "Bash: npm test"],
    [tool("Edit", { file_path: "/a/b.ts", old_string: "x" }), "Edit: /a/b.ts"],
    [tool("TodoWrite", { todos: [] }), "TodoWrite"],
    [assistant(text("Two\nlines\tof text")), "Two lines of text"],
    [assistant(text("\u001B[31mred\u0007 bell\u202E")), "[31mred bell"],
    [assistant(text("x".repeat(200))), `${"x".repeat(99)}…`],
    [assistant(text("🎉".repeat(101))), `${"🎉".repeat(99)}…`],
  ])("%j", (line, step) => expect(describeTail(bytes(line)).lastStep).toBe(step));
});

test("skips broken lines, a line cut at the front and text that is not JSON", () => {
  const tail = bytes(
    'ge":{"usage":{"input_tokens":77}}}',
    assistant(text("good"), usage(4)),
    "{torn",
    "null",
    "[]",
    "",
  );
  expect(describeTail(tail)).toEqual({ contextTokens: 4, lastStep: "good" });
});

test("an empty tail has no description", () => expect(describeTail(new Uint8Array())).toEqual({}));

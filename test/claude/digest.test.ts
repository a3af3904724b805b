import { expect, test } from "bun:test";
import { digestLines, joinDigests } from "../../src/claude/digest.ts";
import { contextMessage } from "../../src/core/context-message.ts";

let serial = 0;
const line = (type: "user" | "assistant", content: unknown, more: object = {}): string =>
  JSON.stringify({ type, uuid: `u${serial++}`, message: { content }, ...more });
const call = (id: string, name: string, input: object): string =>
  line("assistant", [{ type: "tool_use", id, name, input }]);
const result = (id: string, failed = false): string =>
  line("user", [{ type: "tool_result", tool_use_id: id, content: "x", is_error: failed }]);

const stretch = [
  line("user", "Add the tests"),
  call("1", "Write", { file_path: "/p/a.ts", content: "secret" }),
  result("1"),
  call("2", "Edit", { file_path: "/p/a.ts", old_string: "a", new_string: "b" }),
  result("2"),
  call("3", "Bash", { command: "npm\n test" }),
  result("3", true),
  call("4", "Bash", { command: "git status" }),
  result("4"),
  call("5", "Bash", { command: "sleep 100" }),
  line("assistant", [{ type: "text", text: "One test fails." }]),
  line("assistant", [{ type: "text", text: "Prompt is too long" }], { isApiErrorMessage: true }),
  line("user", "[AI-RUNTIME CONTEXT RESTORED]\nolder news"),
  line("user", "A subagent's words", { isSidechain: true }),
  "torn {",
];

const digest = {
  prompt: "Add the tests",
  files: ["/p/a.ts"],
  commands: [
    { command: "npm test", outcome: "failed" },
    { command: "git status", outcome: "succeeded" },
    { command: "sleep 100", outcome: "unknown" },
  ],
  lastWords: "One test fails.",
} as const;

test("what was written, run and said, without a model's help", () => {
  expect(digestLines(stretch)).toEqual({ ...digest, files: [...digest.files], commands: [...digest.commands] });
});

test("a long stretch is cut to its end", () => {
  const many = Array.from({ length: 100 }, (_, n) => [
    call(`c${n}`, "Bash", { command: `echo ${n}` }),
    result(`c${n}`),
  ]);
  const { commands } = digestLines([...many.flat(), line("user", "x".repeat(5_000))]);
  expect(commands).toHaveLength(15);
  expect(commands.at(-1)?.command).toBe("echo 99");
  expect([...(digestLines([line("user", "x".repeat(5_000))]).prompt ?? "")]).toHaveLength(2_000);
});

test("two stretches are one: the later words hold", () => {
  const joined = joinDigests(digest, { prompt: undefined, files: ["/p/b.ts"], commands: [], lastWords: "Mended." });
  expect(joined).toMatchObject({ prompt: "Add the tests", files: ["/p/a.ts", "/p/b.ts"], lastWords: "Mended." });
  expect(joined.commands).toHaveLength(3);
});

test("what Claude is told", () => {
  const text = contextMessage("overload", digest);
  expect(text.split("\n")[0]).toBe("[AI-RUNTIME CONTEXT RESTORED]");
  expect(text).toContain("> Add the tests");
  expect(text).toContain("- /p/a.ts");
  expect(text).toContain("- npm test (failed)");
  expect(text).toContain("- sleep 100 (outcome unknown)");
  expect(text).toContain("> One test fails.");
  expect(text).not.toContain("secret");
  expect(contextMessage("crash", undefined)).toContain("Continue the task where it stopped");
});

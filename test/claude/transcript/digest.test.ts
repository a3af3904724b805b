import { expect, test } from "bun:test";
import { digestLines, joinDigests } from "../../../src/claude/transcript/digest.ts";
import { contextMessage } from "../../../src/core/restart/context-message.ts";

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

test("lists the files written, the commands run, the prompt and the last message", () => {
  expect(digestLines(stretch)).toEqual({ ...digest, files: [...digest.files], commands: [...digest.commands] });
});

test("keeps only the newest entries of a long transcript", () => {
  const many = Array.from({ length: 100 }, (_, n) => [
    call(`c${n}`, "Bash", { command: `echo ${n}` }),
    result(`c${n}`),
  ]);
  const { commands } = digestLines([...many.flat(), line("user", "x".repeat(5_000))]);
  expect(commands).toHaveLength(15);
  expect(commands.at(-1)?.command).toBe("echo 99");
  expect([...(digestLines([line("user", "x".repeat(5_000))]).prompt ?? "")]).toHaveLength(2_000);
});

test("joins two digests and prefers the later prompt and message", () => {
  const joined = joinDigests(digest, { prompt: undefined, files: ["/p/b.ts"], commands: [], lastWords: "Fixed." });
  expect(joined).toMatchObject({ prompt: "Add the tests", files: ["/p/a.ts", "/p/b.ts"], lastWords: "Fixed." });
  expect(joined.commands).toHaveLength(3);
});

test("the message to Claude", () => {
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

test("a command of the client is not the user's last message, a command of the user's own is", () => {
  const command = (name: string): string =>
    line("user", `<command-name>${name}</command-name>\n<command-message>${name.slice(1)}</command-message>`);
  const prompt = (...lines: string[]): string | undefined => digestLines(lines).prompt;
  expect(prompt(line("user", "Finish it"), command("/compact"), command("/exit"))).toBe("Finish it");
  expect(prompt(line("user", "Finish it"), command("/review"))).toBe("/review");
});

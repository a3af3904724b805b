import { expect, test } from "bun:test";
import { chooseProgram } from "../../../src/cli/programs/choose-program.ts";

test.each([
  ["ai-runtime", ["--version"], "ai-runtime", ["--version"]],
  ["./dist/ai-runtime", ["cclaude", "-p", "hi"], "cclaude", ["-p", "hi"]],
  ["ai-runtime", ["session-snapshot", "hook"], "session-snapshot", ["hook"]],
  ["ai-runtime", ["ai-runtime", "--help"], "ai-runtime", ["--help"]],
  ["/usr/local/bin/cclaude", ["session-snapshot"], "cclaude", ["session-snapshot"]],
  ["session-snapshot", ["cclaude"], "session-snapshot", ["cclaude"]],
  ["C:\\Tools\\CCLAUDE.EXE", ["--continue"], "cclaude", ["--continue"]],
  ["C:/Tools/session-snapshot.exe", ["status"], "session-snapshot", ["status"]],
  ["renamed", ["cclaude"], "cclaude", []],
  ["renamed", [], "ai-runtime", []],
  ["bun", ["fix the cclaude tests"], "ai-runtime", ["fix the cclaude tests"]],
] as const)("started as %s with %p it is %s", (invokedAs, argv, program, rest) => {
  expect(chooseProgram(invokedAs, argv)).toEqual({ program, argv: [...rest] });
});

import { describe, expect, test } from "bun:test";
import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { hasFlag, isSupervisable, joinArguments, splitArguments, valueOf } from "../../../src/claude/argv/flags.ts";

const words = constantFrom(
  ..."-p -c -r -d -n -pc -pr -rID -dX -px --print --resume --resume=x --model --model=opus --add-dir --allowedTools".split(
    " ",
  ),
  ..."--file --unknown --unknown=1 -- - mcp --settings --session-id --worktree -h hello --debug --mcp-config".split(
    " ",
  ),
  "a b",
  "",
  '{"json": [1]}',
  "line\nbreak",
);

test("joining a split command line gives the same words", () => {
  assert(
    property(array(oneof(words, string())), (argv) => {
      expect(joinArguments(splitArguments(argv))).toEqual(argv);
    }),
    { numRuns: 2_000 },
  );
});

describe("splits a command line as claude does", () => {
  const prompts = (argv: string[]) =>
    splitArguments(argv).flatMap((segment) => (segment.kind === "prompt" ? segment.words : []));
  test.each<[string[], string[]]>([
    [["hello"], ["hello"]],
    [["-p", "hello"], ["hello"]],
    [["--model", "opus", "hello"], ["hello"]],
    [["--model=opus", "hello"], ["hello"]],
    [["--resume", "ID", "hello"], ["hello"]],
    [["-r", "hello"], []],
    [["-d", "hello"], []],
    [["-c", "hello"], ["hello"]],
    [["--allowedTools", "Bash", "Edit", "-p", "hello"], ["hello"]],
    [["--allowedTools=Bash", "hello"], ["hello"]],
    [["--add-dir", "a", "hello"], []],
    [["--append-system-prompt", "-p", "hello"], ["hello"]],
    [["--", "--not-a-flag"], []],
    [["--from-the-future", "value-or-prompt", "-p"], []],
    [["-"], ["-"]],
  ])("%p contains the prompts %p", (argv, expected) => {
    expect(prompts(argv)).toEqual(expected);
  });

  test("a required value may look like a flag", () => {
    const segments = splitArguments(["--append-system-prompt", "--continue"]);
    expect(hasFlag(segments, "continue")).toBe(false);
    expect(valueOf(segments, "append-system-prompt")).toBe("--continue");
  });

  test("the first word of a list may look like a flag", () => {
    const segments = splitArguments(["--allowedTools", "-x", "Bash", "--continue", "hello"]);
    expect(valueOf(segments, "allowedTools")).toBe("Bash");
    expect(hasFlag(segments, "continue")).toBe(true);
    expect(hasFlag(splitArguments(["--add-dir", "--continue"]), "continue")).toBe(false);
  });

  test("the last value of a repeated flag counts", () => {
    expect(valueOf(splitArguments(["--model", "opus", "--model=haiku"]), "model")).toBe("haiku");
  });

  test("letters of one word are separate flags, and the last may take a value", () => {
    const segments = splitArguments(["-pr", "ID", "hello"]);
    expect(hasFlag(segments, "print")).toBe(true);
    expect(valueOf(segments, "resume")).toBe("ID");
    expect(valueOf(splitArguments(["-pcrID"]), "resume")).toBe("ID");
  });
});

describe("supervises only sessions that it can restart", () => {
  test.each([
    [["mcp", "list"]],
    [["--debug", "--", "x", "--help"], true],
    [["--verbose", "doctor"]],
    [["update"]],
    [["--help"]],
    [["-v"]],
    [["-p", "hi", "--no-session-persistence"]],
    [["--bg", "task"]],
    [["--tmux", "--worktree"]],
    [["--cloud", "task"]],
    [["--sdk-url=ws://x"]],
    [["-p", "tell me about mcp"], true],
    [["-p", "hello", "mcp"], true],
    [[], true],
  ] as [string[], boolean?][])("%p", (argv, expected = false) => {
    expect(isSupervisable(splitArguments(argv))).toBe(expected);
  });
});

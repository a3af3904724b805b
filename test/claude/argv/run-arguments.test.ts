import { describe, expect, test } from "bun:test";
import { launchArguments, readRunArguments } from "../../../src/claude/argv/run-arguments.ts";
import { stepInstructions } from "../../../src/claude/stream/step-reader.ts";

describe("reads the arguments of ai-runtime run", () => {
  test.each<[argv: string[], task: string | undefined, flags: string[], own: Record<string, string>]>([
    [["do it"], "do it", [], {}],
    [["do it", "--model", "opus"], "do it", ["--model", "opus"], {}],
    [["--model", "opus", "do it"], "do it", ["--model", "opus"], {}],
    [["--model=opus", "do it", "--detach"], "do it", ["--model=opus"], { detach: "" }],
    [["--max-wait", "2h", "do it", "--json"], "do it", [], { "max-wait": "2h", json: "" }],
    [["--max-wait=2h", "do it", "-q"], "do it", [], { "max-wait": "2h", quiet: "" }],
    // A value that looks like our flag is still a value.
    [["--append-system-prompt", "--detach", "do it"], "do it", ["--append-system-prompt", "--detach"], {}],
    // Our flag ends a list of values.
    [
      ["--allowedTools", "Bash", "Edit", "--detach", "do it"],
      "do it",
      ["--allowedTools", "Bash", "Edit"],
      { detach: "" },
    ],
    [["--add-dir", "a", "b"], undefined, ["--add-dir", "a", "b"], {}],
    [["--", "--detach"], "--detach", [], {}],
    [["do it", "--interactive", "--no-wait"], "do it", [], { interactive: "", "no-wait": "" }],
    [["mcp"], "mcp", [], {}],
    [["-p", "--verbose", "do it"], "do it", [], {}],
    [[], undefined, [], {}],
  ])("%p", (argv, task, flags, own) => {
    const read = readRunArguments(argv);
    expect(read.task).toBe(task);
    expect([...read.flags]).toEqual(flags);
    expect(Object.fromEntries(read.own)).toEqual(own);
  });

  test.each<[argv: string[], mode: string | null, budget: number | null]>([
    [["x"], null, null],
    [["x", "--permission-mode", "plan", "--max-budget-usd", "1.5"], "plan", 1.5],
    [["x", "--permission-mode", "plan", "--dangerously-skip-permissions"], "bypassPermissions", null],
  ])("%p has the mode %p and the budget %p", (argv, mode, budget) => {
    expect(readRunArguments(argv)).toMatchObject({ permissionMode: mode, maxBudgetUsd: budget });
  });

  test.each<[argv: string[], sentence: string]>([
    [["x", "--resume", "id"], "--resume cannot be used with a run, which has its own session"],
    [["x", "-c"], "-c cannot be used with a run, which has its own session"],
    [["x", "--session-id", "id"], "--session-id cannot be used with a run"],
    [["x", "--no-session-persistence"], "--no-session-persistence cannot be used with a run: it could not be resumed"],
    [["x", "--output-format", "json"], "ai-runtime run sets --output-format itself; use --json"],
    [["x", "--input-format=text"], "sets --input-format=text itself"],
    [["do", "it"], "the task must be one argument (got 2); put it in quotes"],
    [["x", "--max-budget-usd", "much"], '--max-budget-usd must be a number > 0 (got "much")'],
    [["x", "--max-budget-usd", "0"], "must be a number > 0"],
    [["x", "--max-budget-usd", "Infinity"], "must be a number > 0"],
  ])("refuses %p: %s", (argv, sentence) => {
    expect(() => readRunArguments(argv)).toThrow(sentence);
  });
});

describe("the command line of an attempt", () => {
  const stream = ["--output-format", "stream-json", "--verbose"];
  const launch = { flags: ["--model", "opus"], sessionId: "ID", resume: false, budgetUsd: null };
  const ours = ["--append-system-prompt", stepInstructions];

  test("sets the session id in the first attempt and resumes it with the same flags later", () => {
    expect(launchArguments(launch)).toEqual(["--print", "--session-id", "ID", ...stream, ...ours, "--model", "opus"]);
    const resumed = launchArguments({ ...launch, resume: true });
    expect(resumed).toEqual(["--print", "--resume", "ID", ...stream, ...ours, "--model", "opus"]);
  });

  test("passes --file only in the first attempt", () => {
    const flags = ["--file", "file_1:a.txt"];
    expect(launchArguments({ ...launch, flags })).toContain("--file");
    expect(launchArguments({ ...launch, flags, resume: true })).not.toContain("--file");
  });

  test("appends the user's system prompt before ours, in one flag", () => {
    const words = launchArguments({ ...launch, flags: ["--append-system-prompt", "Be kind."] });
    expect(words.filter((word) => word === "--append-system-prompt")).toHaveLength(1);
    expect(words).toContain(`Be kind.\n\n${stepInstructions}`);
    const flags = ["--append-system-prompt-file", "a.txt"];
    expect(launchArguments({ ...launch, flags })).not.toContain("--append-system-prompt");
    // Claude accepts a text or a file, not both.
    const both = launchArguments({ ...launch, flags: [...flags, "--append-system-prompt", "Be kind."] });
    expect(both).toContain("--append-system-prompt-file");
    expect(both.slice(both.indexOf("--append-system-prompt")).slice(0, 2)).toEqual([
      "--append-system-prompt",
      "Be kind.",
    ]);
  });

  test("passes the remaining budget instead of the given one", () => {
    const words = launchArguments({ ...launch, flags: ["--max-budget-usd", "5"], budgetUsd: 1.25 });
    expect(words.filter((word) => word === "--max-budget-usd")).toHaveLength(1);
    expect(words[words.indexOf("--max-budget-usd") + 1]).toBe("1.25");
  });
});

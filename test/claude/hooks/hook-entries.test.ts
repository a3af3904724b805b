import { describe, expect, test } from "bun:test";
import { programOfHook, type HookProgram } from "../../../src/claude/hooks/hook-command.ts";
import { snapshotHookEntries, type HookEntry } from "../../../src/claude/hooks/hook-entries.ts";
import { parseClaudeVersion } from "../../../src/claude/versions.ts";

const entriesFor = (executable: string, version: string | undefined): HookEntry[] =>
  snapshotHookEntries({ executable, version: version === undefined ? undefined : parseClaudeVersion(version) });

describe("installs the events that the version accepts", () => {
  const everywhere = ["SessionStart", "PreToolUse", "PostToolUse", "PreCompact", "Stop", "SessionEnd"];
  const rows: [version: string | undefined, events: string[]][] = [
    [undefined, everywhere],
    ["1.0.128", everywhere],
    ["2.1.36", [...everywhere, "PostToolUseFailure"]],
    ["2.1.77", [...everywhere, "PostToolUseFailure"]],
    ["2.1.78", [...everywhere, "PostToolUseFailure", "StopFailure"]],
    ["2.1.326", [...everywhere, "PostToolUseFailure", "StopFailure"]],
  ];
  test.each(rows)("%p", (version, events) => {
    expect(
      entriesFor("/bin/session-snapshot", version)
        .map(({ event }): string => event)
        .toSorted(),
    ).toEqual(events.toSorted());
  });
});

test("makes only the hooks after a tool call async and gives every hook a timeout", () => {
  for (const version of [undefined, "2.1.36", "2.1.197", "2.1.326"]) {
    const entries = entriesFor("/bin/session-snapshot", version);
    const after = version === undefined ? ["PostToolUse"] : ["PostToolUse", "PostToolUseFailure"];
    expect(entries.filter(({ hook }) => hook.async).map(({ event }) => String(event))).toEqual(after);
    expect(entries.every(({ hook }) => hook.timeout === 10)).toBe(true);
  }
});

test("snapshots install SessionStart for resumed sessions only", () => {
  const matchers = entriesFor("/bin/session-snapshot", "2.1.326").map(({ event, matcher }) => [event, matcher]);
  expect(Object.fromEntries(matchers)).toEqual({
    SessionStart: "resume",
    PreToolUse: "Bash",
    PostToolUse: "*",
    PostToolUseFailure: "*",
    PreCompact: "*",
    Stop: "*",
    StopFailure: "*",
    SessionEnd: "*",
  });
});

describe("chooses the shell form or the args form by version and path", () => {
  const rows: [executable: string, version: string | undefined, command: string, args: string[] | undefined][] = [
    ["/opt/session-snapshot", "2.1.326", "/opt/session-snapshot", ["hook"]],
    ["/opt/session-snapshot", "2.1.139", "/opt/session-snapshot", ["hook"]],
    ["/opt/session-snapshot", "2.1.138", "/opt/session-snapshot hook", undefined],
    ["/opt/session-snapshot", "2.1.36", "/opt/session-snapshot hook", undefined],
    ["/opt/session-snapshot", undefined, "/opt/session-snapshot hook", undefined],
    ["/opt/ai-runtime", "2.1.326", "/opt/ai-runtime", ["session-snapshot", "hook"]],
    ["/opt/ai-runtime", "2.1.36", "/opt/ai-runtime session-snapshot hook", undefined],
    ["/a b/$x'y/session-snapshot", "2.1.326", "/a b/$x'y/session-snapshot", ["hook"]],
    ["/a b/session-snapshot", "2.1.36", "'/a b/session-snapshot' hook", undefined],
    ["C:\\Program Files\\x\\session-snapshot.exe", "2.1.326", "C:\\Program Files\\x\\session-snapshot.exe", ["hook"]],
    ["C:\\Program Files\\x\\session-snapshot.exe", undefined, "C:\\Program Files\\x\\session-snapshot.exe", ["hook"]],
    [
      "C:\\Program Files\\x\\session-snapshot.exe",
      "2.1.36",
      '"C:/Program Files/x/session-snapshot.exe" hook',
      undefined,
    ],
  ];
  test.each(rows)("%s, %p", (executable, version, command, args) => {
    for (const { hook } of entriesFor(executable, version)) {
      expect(hook.command).toBe(command);
      expect(hook.args).toEqual(args);
    }
  });
});

const hostile = [
  "a b",
  "a'b",
  'a"b',
  "$HOME",
  "`id`",
  "$(id)",
  "a\\b",
  "ä 🎉",
  "-x",
  "a;b",
  "a&b",
  "*",
  "#x",
  "~",
  "a\nb",
  "!x",
  "{a,b}",
  "%PATH%",
];

describe.skipIf(process.platform === "win32")("the shell form starts the executable it names", () => {
  test.each(hostile)("%p", (directory) => {
    const executable = `/tmp/${directory}/session-snapshot`;
    const command = entriesFor(executable, "2.1.36")[0]?.hook.command ?? "";
    // The shell prints the words it would run.
    const shown = Bun.spawnSync(["/bin/sh", "-c", `printf '%s\\0' ${command}`]).stdout.toString();
    expect(shown.split("\0")).toEqual([executable, "hook", ""]);
  });
});

describe("recognizes every form we write as ours", () => {
  const names = [
    "/opt/session-snapshot",
    "/opt/ai-runtime",
    "C:\\x y\\session-snapshot.exe",
    "\\\\server\\share\\ai-runtime.exe",
  ];
  test.each([...names, ...hostile.map((name) => `/${name}/session-snapshot`)])("%p", (executable) => {
    for (const version of [undefined, "2.1.36", "2.1.326"]) {
      for (const { hook } of entriesFor(executable, version)) expect(programOfHook(hook)).toBe("session-snapshot");
    }
  });
});

describe("finds the program that a hook belongs to", () => {
  const shell: [command: string, program: HookProgram | undefined][] = [
    ["session-snapshot hook", "session-snapshot"],
    ["  session-snapshot\thook  ", "session-snapshot"],
    ["~/.local/bin/session-snapshot hook", "session-snapshot"],
    ["$HOME/bin/session-snapshot hook", "session-snapshot"],
    ['"$HOME/my bin/session-snapshot" hook', "session-snapshot"],
    ["/a\\ b/session-snapshot hook", "session-snapshot"],
    ["'/it'\\''s/session-snapshot' hook", "session-snapshot"],
    ["C:\\bin\\session-snapshot.exe hook", "session-snapshot"],
    ['"C:\\Program Files\\session-snapshot.cmd" hook', "session-snapshot"],
    ["ai-runtime session-snapshot hook", "session-snapshot"],
    ["ai-runtime hook", "ai-runtime"],
    ["/opt/ai-runtime hook --event Stop", "ai-runtime"],
    ["echo session-snapshot hook", undefined],
    ["session-snapshot", undefined],
    ["session-snapshot status", undefined],
    ["session-snapshot status hook", undefined],
    ["session-snapshot hooks", undefined],
    ["session-snapshot hook | tee log", undefined],
    ["session-snapshot hook; true", undefined],
    ["session-snapshot hook && say done", undefined],
    ["session-snapshot hook > log", undefined],
    ["session-snapshot hook &", undefined],
    ["session-snapshot hook\necho", undefined],
    ["cat | session-snapshot hook", undefined],
    ["(session-snapshot hook)", undefined],
    ["FOO=1 session-snapshot hook", undefined],
    ["env session-snapshot hook", undefined],
    ["sh -c 'session-snapshot hook'", undefined],
    ["'session-snapshot hook'", undefined],
    ["my-session-snapshot hook", undefined],
    ["session-snapshot.sh hook", undefined],
    ["session-snapshot/x hook", undefined],
    ["$(which session-snapshot) hook", undefined],
    ['"$(which session-snapshot)" hook', undefined],
    ['"$(brew --prefix)/session-snapshot" hook', undefined],
    ["`which session-snapshot` hook", undefined],
    ["# session-snapshot hook", undefined],
    ["'session-snapshot hook", undefined],
    ['"session-snapshot hook', undefined],
    ["session-snapshot hook \\", undefined],
    ["cclaude hook", undefined],
    ["ai-runtime cclaude hook", undefined],
    ["", undefined],
  ];
  test.each(shell)("shell: %p → %p", (command, program) => {
    expect(programOfHook({ type: "command", command })).toBe(program);
  });

  const other: [hook: unknown, program: HookProgram | undefined][] = [
    [{ type: "command", command: "/a b/session-snapshot", args: ["hook"] }, "session-snapshot"],
    [
      { type: "command", command: "/x/ai-runtime", args: ["session-snapshot", "hook"], async: true },
      "session-snapshot",
    ],
    [{ type: "command", command: "echo", args: ["session-snapshot", "hook"] }, undefined],
    [{ type: "command", command: "sh", args: ["-c", "session-snapshot hook"] }, undefined],
    [{ type: "command", command: "session-snapshot hook", args: [] }, undefined],
    [{ type: "command", command: "session-snapshot", args: "hook" }, undefined],
    [{ type: "command", command: "session-snapshot", args: [1] }, undefined],
    [{ type: "command", command: ["session-snapshot", "hook"] }, undefined],
    [{ type: "prompt", command: "session-snapshot hook" }, undefined],
    [{ command: "session-snapshot hook" }, undefined],
    ["session-snapshot hook", undefined],
    [null, undefined],
    [["command"], undefined],
  ];
  test.each(other)("%j → %p", (hook, program) => {
    expect(programOfHook(hook)).toBe(program);
  });
});

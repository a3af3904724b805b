import { describe, expect, test } from "bun:test";
import { withPermissionMode } from "../../src/claude/argv/restart-arguments.ts";
import { restartMode } from "../../src/claude/permission-mode.ts";
import { readRecordedModes } from "../../src/claude/transcript/recorded-modes.ts";

describe("the permission mode of a restart", () => {
  test.each<[given: string | null, first: string, last: string, expected: string]>([
    // The last mode counts when it is stricter than the flags.
    ["acceptEdits", "acceptEdits", "plan", "plan, stricter"],
    ["bypassPermissions", "bypassPermissions", "plan", "plan, stricter"],
    ["bypassPermissions", "bypassPermissions", "default", "default, stricter"],
    ["bypassPermissions", "bypassPermissions", "auto", "auto, stricter"],
    ["auto", "auto", "acceptEdits", "acceptEdits, stricter"],
    ["default", "default", "dontAsk", "dontAsk, stricter"],
    ["acceptEdits", "plan", "plan", "plan, stricter"],
    // Otherwise the flags stay as they are.
    ["acceptEdits", "acceptEdits", "acceptEdits", "as given"],
    ["plan", "plan", "bypassPermissions", "as given"],
    ["default", "default", "auto", "as given"],
    ["dontAsk", "dontAsk", "default", "as given"],
    ["manual", "default", "default", "as given"],
    ["manual", "default", "acceptEdits", "as given"],
    ["manual", "default", "plan", "plan, stricter"],
    // Without a mode in the flags, the first prompt shows the original one.
    [null, "default", "plan", "plan, stricter"],
    [null, "bypassPermissions", "acceptEdits", "acceptEdits, stricter"],
    [null, "default", "acceptEdits", "default"],
    [null, "plan", "plan", "plan"],
    [null, "auto", "auto", "auto"],
    [null, "bypassPermissions", "bypassPermissions", "as given"],
    // An unknown mode may be stricter than all others.
    ["acceptEdits", "acceptEdits", "from-the-future", "plan, stricter"],
    ["from-the-future", "from-the-future", "acceptEdits", "plan, stricter"],
    ["from-the-future", "from-the-future", "from-the-future", "as given"],
    [null, "default", "from-the-future", "plan, stricter"],
    ["delegate", "delegate", "default", "plan, stricter"],
  ])("given %p, prompted first in %p and last in %p: %p", (given, first, last, expected) => {
    const { mode, isStricter } = restartMode(given, { prompted: { first, last, lastTime: 5 } }) ?? {
      mode: "as given",
      isStricter: false,
    };
    expect(isStricter ? `${mode}, stricter` : mode).toBe(expected);
  });

  test("stays that of the flags when nothing is recorded or reported", () => {
    expect(restartMode("acceptEdits", {})).toBeUndefined();
    expect(restartMode(null, {})).toBeUndefined();
  });

  test.each<[given: string | null, prompt: string | undefined, noted: string, expected: string]>([
    ["acceptEdits", "acceptEdits", "plan", "plan, stricter"],
    ["bypassPermissions", "bypassPermissions", "default", "default, stricter"],
    ["acceptEdits", undefined, "plan", "plan, stricter"],
    [null, "default", "plan", "plan, stricter"],
    // A note can be outdated, so a looser one does not count.
    ["acceptEdits", "plan", "acceptEdits", "plan, stricter"],
    ["plan", "plan", "acceptEdits", "as given"],
    [null, "default", "acceptEdits", "default"],
    // Without a flag and a prompt the original mode is unknown.
    [null, undefined, "plan", "plan"],
    [null, undefined, "acceptEdits", "as given"],
  ])("given %p, prompted in %p and then noted %p: %p", (given, prompt, noted, expected) => {
    const prompted = prompt === undefined ? undefined : { first: prompt, last: prompt, lastTime: 5 };
    const { mode, isStricter } = restartMode(given, { prompted, noted }) ?? { mode: "as given", isStricter: false };
    expect(isStricter ? `${mode}, stricter` : mode).toBe(expected);
  });

  test.each<[given: string | null, reported: string, expected: string | undefined]>([
    ["acceptEdits", "plan", "plan"],
    ["bypassPermissions", "acceptEdits", "acceptEdits"],
    ["plan", "acceptEdits", undefined],
    [null, "plan", "plan"],
    [null, "bypassPermissions", undefined],
  ])("given %p and no prompt, a hook reported %p: %p", (given, mode, expected) => {
    expect(restartMode(given, {}, { mode, time: 6 })?.mode === expected).toBe(true);
  });

  test.each<[reported: string, time: number, expected: string | undefined]>([
    ["plan", 6, "plan"],
    ["plan", 4, undefined],
    ["bypassPermissions", 6, undefined],
  ])("takes %p, reported by a hook at %p, only when it is newer and stricter", (mode, time, expected) => {
    const prompted = { first: "acceptEdits", last: "acceptEdits", lastTime: 5 };
    expect(restartMode("acceptEdits", { prompted }, { mode, time })?.mode === expected).toBe(true);
  });

  test.each<[argv: string[], expected: string[]]>([
    [["--dangerously-skip-permissions", "-p"], ["-p"]],
    [
      ["--permission-mode", "auto", "--model", "opus"],
      ["--model", "opus"],
    ],
    [["--permission-mode=auto", "--dangerously-skip-permissions"], []],
    [
      ["--allowedTools", "Bash"],
      ["--allowedTools", "Bash"],
    ],
  ])("replaces the mode in %p", (argv, others) => {
    expect(withPermissionMode(argv, "plan")).toEqual(["--permission-mode", "plan", ...others]);
    expect(withPermissionMode(argv, undefined)).toEqual(argv);
  });
});

describe("the modes of a transcript", () => {
  const prompt = (permissionMode: string | undefined, minute: number, more: object = {}): string =>
    JSON.stringify({ type: "user", permissionMode, timestamp: `2026-11-17T10:${minute}:00.000Z`, ...more });
  const note = (permissionMode: string, more: object = {}): string =>
    JSON.stringify({ type: "permission-mode", permissionMode, sessionId: "one", ...more });
  const read = (lines: string[], since = 0) => readRecordedModes(lines.toReversed(), since);

  test("are those of the first and the newest prompt", () => {
    const lines = [prompt("acceptEdits", 10), prompt("default", 11), prompt("plan", 12), prompt(undefined, 13)];
    expect(read(lines).prompted).toMatchObject({ first: "acceptEdits", last: "plan" });
    expect(read(lines, Date.parse("2026-11-17T10:11:00Z")).prompted).toEqual({
      first: "default",
      last: "plan",
      lastTime: Date.parse("2026-11-17T10:12:00Z"),
    });
    expect(read(lines, Date.parse("2026-11-17T10:13:00Z"))).toEqual({ prompted: undefined, noted: undefined });
  });

  test("do not come from subagents, tool results or broken lines", () => {
    const lines = [
      prompt("plan", 10),
      prompt("bypassPermissions", 11, { isSidechain: true }),
      prompt(undefined, 12, { message: { content: [{ type: "tool_result", content: '"permissionMode":"auto"' }] } }),
      '{"type":"user","permissionMode":"auto"',
    ];
    expect(read(lines).prompted).toMatchObject({ first: "plan", last: "plan" });
    expect(read(lines).noted).toBeUndefined();
  });

  test.each<[title: string, lines: string[], noted: string | undefined]>([
    ["after the last prompt", [prompt("acceptEdits", 10), note("plan")], "plan"],
    ["that is the newest", [prompt("acceptEdits", 10), note("plan"), note("default")], "default"],
    ["without a prompt", [note("plan")], "plan"],
    ["but not before the last prompt", [note("plan"), prompt("acceptEdits", 10)], undefined],
    ["but not of a subagent", [prompt("acceptEdits", 10), note("plan", { isSidechain: true })], undefined],
  ])("include a note %s", (_, lines, noted) => {
    expect(read(lines).noted).toBe(noted);
  });
});

// What `ai-runtime install` and `session-snapshot install` do to one settings file, in any order.
import { describe, expect, test } from "bun:test";
import { allHookEntries, snapshotHookEntries } from "../../src/claude/hook-entries.ts";
import { addHooks, removeHooks, type SettingsEdit } from "../../src/claude/settings.ts";
import type { SettingsUndo } from "../../src/claude/settings-undo.ts";
import { SETTINGS } from "./settings-fixtures.ts";

const version = { major: 2, minor: 1, patch: 325 };
const executable = "/opt/bin/ai-runtime";
const everything = allHookEntries({ executable, version });
const snapshots = snapshotHookEntries({ executable, version });

interface File {
  text: string | undefined;
  undo: SettingsUndo | undefined;
}
type Step = (file: File) => SettingsEdit;

const steps = {
  all: ({ text, undo }) =>
    addHooks(text, everything, undo, { replacing: ["session-snapshot"], statusLine: executable }),
  snapshots: ({ text, undo }) => addHooks(text, snapshots, undo),
  moved: ({ text, undo }) => {
    const entries = allHookEntries({ executable: "/new place/ai-runtime", version });
    return addHooks(text, entries, undo, { replacing: ["session-snapshot"], statusLine: "/new place/ai-runtime" });
  },
  withoutSnapshots: ({ text, undo }) => removeHooks(text, undo, ["session-snapshot"]),
  withoutAll: ({ text, undo }) => removeHooks(text, undo),
} satisfies Record<string, Step>;

function play(text: string | undefined, order: (keyof typeof steps)[], start?: SettingsUndo): File {
  let file: File = { text, undo: start };
  for (const name of order) {
    const edit = steps[name](file);
    if (edit.kind === "invalid") throw new Error(`${name}: ${edit.message}`);
    if (edit.kind === "changed") file = { text: edit.text, undo: edit.undo };
  }
  return file;
}

const lines: [name: string, text: string][] = [
  [
    "a status line",
    '{\n  "statusLine": {"type": "command", "command": "~/line.sh", "padding": 0},\n  "model": "opus"\n}\n',
  ],
  ["with quotes and escapes", '{"statusLine":{"command":"printf \'%s\\\\n\' \\"\\u0041 b\\"","type":"command"}}'],
  ["null", '{"statusLine": null, "a": 1}'],
  ["empty", '{\n  "statusLine": {}\n}'],
];

const orders: (keyof typeof steps)[][] = [
  ["all", "withoutAll"],
  ["all", "all", "withoutAll"],
  ["snapshots", "all", "withoutSnapshots", "withoutAll"],
  ["snapshots", "all", "withoutAll", "withoutSnapshots"],
  ["all", "snapshots", "withoutSnapshots", "withoutAll"],
  ["all", "snapshots", "withoutAll"],
  ["all", "moved", "withoutAll"],
];

describe("the file is byte-identical after", () => {
  test.each(orders.map((order) => [order.join(", "), order] as const))("%s", (_name, order) => {
    for (const [name, text] of [...SETTINGS, ...lines]) {
      expect([name, play(text, order).text]).toEqual([name, text]);
    }
    expect(play(undefined, order).text).toBeUndefined();
  });
});

test("everything takes the place of the snapshot hooks: one hook of ours for each event", () => {
  for (const [name, text] of SETTINGS) {
    const { text: after } = play(text, ["snapshots", "all"]);
    const calls = after?.split('"/opt/bin/ai-runtime"').length ?? 0;
    expect([name, calls - 1, after?.includes('"session-snapshot", "hook"')]).toEqual([name, everything.length, false]);
  }
});

describe("the status line", () => {
  const read = (file: File): unknown => JSON.parse(file.text ?? "{}").statusLine;

  test("ours runs the one that was there; its other keys stay", () => {
    const command = `${executable} statusline --first '~/line.sh'`;
    expect(read(play(lines[0]?.[1], ["all"]))).toEqual({ type: "command", command, padding: 0 });
  });

  test("a moved executable is followed, and what it runs first stays", () => {
    const { command } = read(play(lines[0]?.[1], ["all", "moved"])) as { command: string };
    expect(command).toBe("'/new place/ai-runtime' statusline --first '~/line.sh'");
  });

  test("one that the user has put there since is theirs", () => {
    const file = play('{"a":1}', ["all"]);
    const changed = file.text?.replace(/"statusLine": ?\{[^}]*\}/, '"statusLine":{"type":"command","command":"mine"}');
    expect(read(play(changed, ["withoutAll"], file.undo))).toEqual({ type: "command", command: "mine" });
  });

  test("without our record it still comes back", () => {
    const file = play(lines[1]?.[1], ["all"]);
    expect(read(play(file.text, ["withoutAll"]))).toEqual(JSON.parse(lines[1]?.[1] ?? "").statusLine);
  });

  test("of a shape that Claude does not know is refused, with its place", () => {
    expect(steps.all({ text: '{\n  "statusLine": "x"\n}', undo: undefined })).toMatchObject({
      kind: "invalid",
      line: 2,
    });
  });
});

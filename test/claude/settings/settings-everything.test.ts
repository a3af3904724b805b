// `ai-runtime install` and `session-snapshot install` edit one settings file in any order.
import { describe, expect, test } from "bun:test";
import { allHookEntries, snapshotHookEntries } from "../../../src/claude/hooks/hook-entries.ts";
import { addHooks, removeHooks, type SettingsEdit } from "../../../src/claude/settings/settings.ts";
import type { SettingsUndo } from "../../../src/claude/settings/settings-undo.ts";
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

function applySteps(text: string | undefined, order: (keyof typeof steps)[], start?: SettingsUndo): File {
  let file: File = { text, undo: start };
  for (const name of order) {
    const edit = steps[name](file);
    if (edit.kind === "invalid") throw new Error(`${name}: ${edit.message}`);
    if (edit.kind === "changed") file = { text: edit.text, undo: edit.undo };
  }
  return file;
}

const statusLines: [name: string, text: string][] = [
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
    for (const [name, text] of [...SETTINGS, ...statusLines]) {
      expect([name, applySteps(text, order).text]).toEqual([name, text]);
    }
    expect(applySteps(undefined, order).text).toBeUndefined();
  });
});

test("ai-runtime install replaces the snapshot hooks: one hook of ours for each event", () => {
  for (const [name, text] of SETTINGS) {
    const { text: after } = applySteps(text, ["snapshots", "all"]);
    const calls = after?.split('"/opt/bin/ai-runtime"').length ?? 0;
    expect([name, calls - 1, after?.includes('"session-snapshot", "hook"')]).toEqual([name, everything.length, false]);
  }
});

describe("the status line", () => {
  const read = (file: File): unknown => JSON.parse(file.text ?? "{}").statusLine;

  test("runs the user's command first and keeps its other keys", () => {
    const command = `${executable} statusline --first '~/line.sh'`;
    expect(read(applySteps(statusLines[0]?.[1], ["all"]))).toEqual({ type: "command", command, padding: 0 });
  });

  test("follows a moved executable and keeps the user's command", () => {
    const { command } = read(applySteps(statusLines[0]?.[1], ["all", "moved"])) as { command: string };
    expect(command).toBe("'/new place/ai-runtime' statusline --first '~/line.sh'");
  });

  test("leaves a status line that the user set later", () => {
    const file = applySteps('{"a":1}', ["all"]);
    const changed = file.text?.replace(/"statusLine": ?\{[^}]*\}/, '"statusLine":{"type":"command","command":"mine"}');
    expect(read(applySteps(changed, ["withoutAll"], file.undo))).toEqual({ type: "command", command: "mine" });
  });

  test("restores the user's command without our record", () => {
    const file = applySteps(statusLines[1]?.[1], ["all"]);
    expect(read(applySteps(file.text, ["withoutAll"]))).toEqual(JSON.parse(statusLines[1]?.[1] ?? "").statusLine);
  });

  test("refuses a shape that Claude does not accept, with its position", () => {
    expect(steps.all({ text: '{\n  "statusLine": "x"\n}', undo: undefined })).toMatchObject({
      kind: "invalid",
      line: 2,
    });
  });
});

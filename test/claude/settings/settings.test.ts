import { describe, expect, test } from "bun:test";
import { parse } from "jsonc-parser";
import { snapshotHookEntries, type HookEntry } from "../../../src/claude/hooks/hook-entries.ts";
import { addHooks, removeHooks, type SettingsEdit } from "../../../src/claude/settings/settings.ts";
import { readSettingsUndo, type SettingsUndo } from "../../../src/claude/settings/settings-undo.ts";
import { SETTINGS } from "./settings-fixtures.ts";

const NEW = { major: 2, minor: 1, patch: 325 };
const ENTRIES = snapshotHookEntries({ executable: "/opt/bin/session-snapshot", version: NEW });
const OTHER_PROGRAM: readonly HookEntry[] = (["SessionStart", "Stop", "UserPromptSubmit"] as const).map((event) => ({
  event,
  matcher: "*",
  hook: { type: "command", command: "/opt/bin/ai-runtime", args: ["hook"], timeout: 10 },
}));

interface Changed {
  readonly text: string | undefined;
  readonly summary: readonly string[];
  readonly undo: SettingsUndo | undefined;
}

function changed(edit: SettingsEdit): Changed {
  if (edit.kind !== "changed") throw new Error(`expected a change, got ${JSON.stringify(edit)}`);
  // The record is stored in a file between two edits.
  return { ...edit, undo: edit.undo && readSettingsUndo(JSON.parse(JSON.stringify(edit.undo))) };
}

const add = (text: string | undefined, entries = ENTRIES, undo?: SettingsUndo): Changed =>
  changed(addHooks(text, entries, undo));

const commandsIn = (text: string | undefined, event: string): unknown =>
  parse(text ?? "")?.hooks?.[event]?.flatMap((group: { hooks: { command: string }[] }) =>
    group.hooks.map(({ command }) => command),
  );

describe("every fixture", () => {
  test("there are at least sixty", () => expect(SETTINGS.length).toBeGreaterThanOrEqual(60));

  test.each(SETTINGS)("adding and removing leaves it unchanged: %s", (_name, text) => {
    const added = add(text);
    expect(added.text).not.toBe(text);
    const removed = changed(removeHooks(added.text, added.undo));
    expect(removed.text).toBe(text);
    expect(removed.undo).toBeUndefined();
  });

  test.each(SETTINGS)("adding twice changes nothing: %s", (_name, text) => {
    const added = add(text);
    expect(addHooks(added.text, ENTRIES, added.undo)).toEqual({ kind: "unchanged" });
    expect(addHooks(added.text, ENTRIES)).toEqual({ kind: "unchanged" });
  });

  test.each(SETTINGS)("contains each hook once, where Claude finds it: %s", (_name, text) => {
    const added = add(text);
    const hooks = parse((added.text ?? "").replace("\uFEFF", "")).hooks;
    for (const { event, matcher, hook } of ENTRIES) {
      const groups: unknown[] = hooks[event];
      expect(groups.filter((group) => Bun.deepEquals(group, { matcher, hooks: [hook] }))).toHaveLength(1);
    }
  });

  test.each(SETTINGS)("two programs leave it unchanged, whichever is removed first: %s", (_name, text) => {
    const first = add(text);
    const both = add(first.text, [...OTHER_PROGRAM], first.undo);
    for (const order of [
      ["session-snapshot", "ai-runtime"],
      ["ai-runtime", "session-snapshot"],
    ] as const) {
      const half = changed(removeHooks(both.text, both.undo, [order[0]]));
      expect(changed(removeHooks(half.text, half.undo, [order[1]])).text).toBe(text);
    }
    const reversed = add(add(text, [...OTHER_PROGRAM]).text, ENTRIES, add(text, [...OTHER_PROGRAM]).undo);
    expect(changed(removeHooks(reversed.text, reversed.undo)).text).toBe(text);
  });
});

describe("a file that we create", () => {
  test("is formatted like Claude's, and removed by uninstall", () => {
    const added = add(undefined, ENTRIES.slice(0, 1));
    expect(added.text).toBe(`${JSON.stringify(parse(added.text ?? ""), null, 2)}\n`);
    expect(changed(removeHooks(added.text, added.undo)).text).toBeUndefined();
  });
  test("is removed even after Claude rewrote it", () => {
    const added = add(undefined);
    const rewritten = JSON.stringify(parse(added.text ?? ""), null, 4);
    expect(changed(removeHooks(rewritten, added.undo)).text).toBeUndefined();
  });
  test("stays when it has other content by then", () => {
    const added = add(undefined);
    const edited = added.text?.replace("{", '{\n  "model": "opus",');
    expect(changed(removeHooks(edited, added.undo)).text).toBe('{\n  "model": "opus"\n}\n');
  });
  test("needs no removal when it does not exist", () => {
    expect(removeHooks(undefined)).toEqual({ kind: "unchanged" });
    expect(removeHooks("")).toEqual({ kind: "unchanged" });
  });
});

describe("without the record", () => {
  const isEmpty = (value: unknown): boolean =>
    value === null || (typeof value === "object" && !Object.keys(value).length);
  const needsRecord = (text: string): boolean => {
    const settings = parse(text.replace("\uFEFF", ""));
    const places = [settings?.hooks, ...ENTRIES.map(({ event }) => settings?.hooks?.[event])];
    return settings === undefined || places.some(isEmpty);
  };
  test.each(SETTINGS.filter(([, text]) => !needsRecord(text)))(
    "the structure is enough to remove our hooks: %s",
    (_name, text) => {
      expect(changed(removeHooks(add(text).text)).text).toBe(text);
    },
  );
  test("removes a container that is empty without our hooks", () => {
    expect(changed(removeHooks(add('{\n  "hooks": {}\n}\n').text)).text).toBe("{}\n");
  });
  test("keeps another empty container", () => {
    const text = '{"hooks":{"Notification":[]}}';
    expect(changed(removeHooks(add(text).text)).text).toBe(text);
  });
  test("an update does not create a record", () => {
    const text = '{"hooks":{}}';
    const half = add(text, ENTRIES.slice(0, 1));
    expect(add(half.text, ENTRIES).undo).toBeUndefined();
  });
  test("ignores a record from before our hooks were removed", () => {
    const stale = add(undefined).undo;
    const added = add('{"hooks":{}}', ENTRIES, stale);
    expect(changed(removeHooks(added.text, added.undo)).text).toBe('{"hooks":{}}');
  });
  const notRecords: [stored: unknown][] = [
    [null],
    [1],
    [[]],
    [{}],
    [{ version: 2, created: [], replaced: [] }],
    [{ version: 1, created: ["hooks"], replaced: [] }],
    [{ version: 1, created: [], replaced: [{ path: [1] }] }],
    [{ version: 1, created: [], replaced: [], blank: {} }],
  ];
  test.each(notRecords)("ignores a stored value that is not a record: %j", (stored) => {
    expect(readSettingsUndo(stored)).toBeUndefined();
  });
});

describe("edits in between", () => {
  const base = '{\n  "model": "opus",\n  "hooks": {\n    "Stop": []\n  },\n  "env": {}\n}\n';
  const edits: [name: string, edit: (text: string) => string][] = [
    ["a value changed", (text) => text.replace('"opus"', '"sonnet"')],
    ["a key added in front", (text) => text.replace("{", '{\n  "first": 1,')],
    ["a key added at the end", (text) => text.replace('"env": {}', '"env": {},\n  "last": 1')],
    ["a comment added", (text) => text.replace('"env"', '// mine\n  "env"')],
    ["a comment before hooks", (text) => text.replace('"hooks"', '/* mine */ "hooks"')],
    ["a key removed", (text) => text.replace('  "model": "opus",\n', "")],
    ["another event in front", (text) => text.replace('"Stop"', '"Notification": [],\n    "Stop"')],
    ["the end of the file", (text) => `${text}\n\n`],
  ];
  test.each(edits)("%s", (_name, edit) => {
    const added = add(base);
    expect(changed(removeHooks(edit(added.text ?? ""), added.undo)).text).toBe(edit(base));
  });

  const one = ENTRIES.filter(({ event }) => event === "Stop");
  const foreign = '{"type":"command","command":"echo hi"}';
  test("keeps the user's hook in our group and removes ours", () => {
    const added = add('{"a":1}', one);
    const edited = added.text?.replace('"timeout":10}', `"timeout":10},${foreign}`);
    expect(changed(removeHooks(edited, added.undo)).text).toBe(
      `{"a":1,"hooks":{"Stop":[{"matcher":"*","hooks":[${foreign}]}]}}`,
    );
  });
  test("keeps the containers we created when the user added a group", () => {
    const added = add('{"a":1}', one);
    const edited = added.text?.replace("}]}]", `}]},{"hooks":[${foreign}]}]`);
    expect(changed(removeHooks(edited, added.undo)).text).toBe(`{"a":1,"hooks":{"Stop":[{"hooks":[${foreign}]}]}}`);
  });
  test("keeps comments around our hook", () => {
    const ours = '{"hooks":[{"type":"command","command":"session-snapshot hook"}]}';
    const remove = (text: string): string | undefined => changed(removeHooks(text, add('{"a":1}').undo)).text;
    expect(remove(`{"hooks":{"Stop":[1, // a\n${ours}, // b\n2]}}`)).toBe('{"hooks":{"Stop":[1, // a\n // b\n2]}}');
    expect(remove(`{"hooks":{"Stop":[1, /* a, */ ${ours} /* b */]}}`)).toBe('{"hooks":{"Stop":[1 /* a, */  /* b */]}}');
    expect(remove(`{"hooks":{"Stop":[/* a */ ${ours} /* , */, /* b */ 2]}}`)).toBe(
      '{"hooks":{"Stop":[/* a */  /* , */ /* b */ 2]}}',
    );
    expect(
      removeHooks(`{"hooks":{"Stop":[/* a */ ${ours} /* b */,]}}`, { version: 1, created: [], replaced: [] }),
    ).toMatchObject({ text: '{"hooks":{"Stop":[/* a */  /* b */]}}' });
  });
  test("after Claude rewrites the whole file, only the formatting differs", () => {
    const added = add(base);
    const rewrite = (text: string | undefined): string => JSON.stringify(parse(text ?? ""), null, 2);
    expect(changed(removeHooks(rewrite(added.text), added.undo)).text).toBe(rewrite(base));
  });
});

describe("hooks that are already installed", () => {
  const moved = snapshotHookEntries({ executable: "/new/session-snapshot", version: NEW });
  test("updates a moved executable in place", () => {
    const before = add('{\n  "a": 1\n}\n');
    const after = add(before.text, moved, before.undo);
    expect(after.text).toBe(before.text?.replaceAll("/opt/bin/", "/new/"));
    expect(after.summary).toEqual(ENTRIES.map(({ event }) => `update ${event} hook`));
    expect(changed(removeHooks(after.text, after.undo)).text).toBe('{\n  "a": 1\n}\n');
  });
  test("changes from the shell form to the args form and back", () => {
    const old = snapshotHookEntries({ executable: "/opt/my bin/session-snapshot", version: undefined });
    const now = snapshotHookEntries({ executable: "/opt/my bin/session-snapshot", version: NEW });
    const first = add('{"a":1}', old);
    const second = add(first.text, now, first.undo);
    expect(parse(second.text ?? "")).toEqual(
      parse(
        add('{"a":1}', [
          ...old.map(({ event }) => now.find((entry) => entry.event === event)).filter((entry) => entry !== undefined),
          ...now.filter(({ event }) => old.every((entry) => entry.event !== event)),
        ]).text ?? "",
      ),
    );
    const third = add(second.text, old, second.undo);
    expect(third.text).toBe(first.text);
    expect(third.summary).toContain("remove StopFailure hook");
  });
  test("updates our hook in the user's group and keeps the user's additional keys", () => {
    const text =
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"~/bin/session-snapshot hook","statusMessage":"saving"},7]}]}}';
    const after = add(
      text,
      ENTRIES.filter(({ event }) => event === "Stop"),
    );
    expect(after.text).toBe(
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/opt/bin/session-snapshot","args":["hook"],"timeout":10,"statusMessage":"saving"},7]}]}}',
    );
  });
  test("never turns the hook of one program into another program's", () => {
    const other = add('{"a":1}', [...OTHER_PROGRAM]);
    const both = add(other.text, [...ENTRIES, ...OTHER_PROGRAM], other.undo);
    expect(both.summary).toEqual(ENTRIES.map(({ event }) => `add ${event} hook`));
    expect(commandsIn(both.text, "Stop")).toEqual(["/opt/bin/ai-runtime", "/opt/bin/session-snapshot"]);
  });
  test("removes duplicates", () => {
    const once = add(
      '{"a":1}',
      ENTRIES.filter(({ event }) => event === "Stop"),
    );
    const twice = once.text?.replace(/"Stop":\[(.*?\]\})\]/, '"Stop":[$1,$1]');
    expect(commandsIn(twice, "Stop")).toHaveLength(2);
    expect(
      changed(
        addHooks(
          twice,
          ENTRIES.filter(({ event }) => event === "Stop"),
          once.undo,
        ),
      ).text,
    ).toBe(once.text);
  });
  test("moves a hook to its new matcher", () => {
    const start = ENTRIES.filter(({ event }) => event === "SessionStart");
    const before = add(
      '{"a":1}',
      start.map((entry) => ({ ...entry, matcher: "startup" })),
    );
    const after = add(before.text, start, before.undo);
    expect(after.text).toBe(add('{"a":1}', start).text);
  });
  test("refuses an entry that is not recognizable as ours", () => {
    const hook = { type: "command", command: "/opt/bin/something hook", timeout: 1 } as const;
    expect(() => addHooks("{}", [{ event: "Stop", matcher: "*", hook }])).toThrow("not a hook command of ours");
  });
  test("changes nothing without entries", () => {
    expect(addHooks(undefined, [])).toEqual({ kind: "unchanged" });
    expect(addHooks("{}", [])).toEqual({ kind: "unchanged" });
  });
});

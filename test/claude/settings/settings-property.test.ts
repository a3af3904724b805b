import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { parse } from "jsonc-parser";
import { snapshotHookEntries, type HookEntry } from "../../../src/claude/hooks/hook-entries.ts";
import { parseJsonDocument } from "../../../src/claude/settings/json-document.ts";
import { addHooks, removeHooks, type SettingsEdit } from "../../../src/claude/settings/settings.ts";
import type { SettingsUndo } from "../../../src/claude/settings/settings-undo.ts";

/** JSON as written: keys may repeat, and leaves are text. */
type Written = { leaf: string } | { list: Written[] } | { object: [key: string, value: Written][] };

const ENTRIES = snapshotHookEntries({
  executable: "/opt/bin/session-snapshot",
  version: { major: 2, minor: 1, patch: 325 },
});
const OTHER: HookEntry[] = (["Stop", "UserPromptSubmit"] as const).map((event) => ({
  event,
  matcher: "",
  hook: { type: "command", command: "'/a b/ai-runtime' hook", timeout: 5 },
}));

/** A value that is not ours; a test replaces it, as a user would. */
const MARK = '"@@@"';

const leaf = fc
  .oneof(
    fc.constantFrom("null", "true", "0", "-1.50e+3", '"session-snapshot hook"', '"// no, comment"', MARK),
    fc.string({ maxLength: 6, unit: "grapheme" }).map((text) => JSON.stringify(text)),
  )
  .map((text): Written => ({ leaf: text }));
const { value } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }).map((list) => ({ list })),
    fc
      .array(fc.tuple(fc.constantFrom("a", "b", "hooks", "matcher", "Stop"), tie("value")), { maxLength: 3 })
      .map((object) => ({ object })),
  ),
}));
const foreignHook = fc.constant<Written>({
  object: [
    ["type", { leaf: '"command"' }],
    ["command", { leaf: '"echo hi"' }],
  ],
});
const group = fc
  .array(fc.oneof(foreignHook, value), { maxLength: 2 })
  .map((list): Written => ({ object: [["hooks", { list }]] }));
const nothing = fc.constantFrom<Written>({ leaf: "null" }, { list: [] }, { object: [] });
const groups = fc.array(fc.oneof(group, value), { maxLength: 3 }).map((list): Written => ({ list }));
const events = fc.tuple(
  fc.constantFrom("Stop", "PostToolUse", "SessionEnd", "UserPromptSubmit", "Notification"),
  fc.oneof(groups, nothing),
);
const hooks = fc.oneof(
  nothing,
  fc.array(events, { maxLength: 4 }).map((object): Written => ({ object })),
);
const property = fc.oneof(
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom("model", "env", "$schema"), value) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("hooks"), hooks) },
);
const settings = fc.array(property, { maxLength: 5 }).map((object): Written => ({ object }));

const trivia = fc.array(
  fc.constantFrom("", "", "", " ", "  ", "\t", "\n", "\r\n", "\n\n  ", "/* c, */", "// c, }\n", "\n\t"),
  { minLength: 1, maxLength: 12 },
);

/** Adds the given white space and comments after each token. */
function scatter(written: Written, bits: readonly string[], trailingCommas: boolean): string {
  let at = 0;
  const bit = (): string => bits[at++ % bits.length] ?? "";
  const items = (open: string, parts: string[], close: string): string =>
    open + bit() + parts.join(",") + (trailingCommas && parts.length > 0 ? "," : "") + bit() + close;
  const write = (node: Written): string => {
    if ("leaf" in node) return node.leaf;
    if ("list" in node)
      return items(
        "[",
        node.list.map((item) => bit() + write(item) + bit()),
        "]",
      );
    const parts = node.object.map(
      ([key, item]) => `${bit()}${JSON.stringify(key)}${bit()}:${bit()}${write(item)}${bit()}`,
    );
    return items("{", parts, "}");
  };
  return bit() + write(written) + bit();
}

/** Formats the JSON as an editor does. */
function indent(written: Written, unit: string, lineBreak: string, depth = 0): string {
  if ("leaf" in written) return written.leaf;
  const [open, close] = "list" in written ? "[]" : "{}";
  const inner = (item: Written): string => indent(item, unit, lineBreak, depth + 1);
  const parts =
    "list" in written
      ? written.list.map(inner)
      : written.object.map(([key, item]) => `${JSON.stringify(key)}: ${inner(item)}`);
  if (parts.length === 0) return `${open}${close}`;
  const gap = lineBreak + unit.repeat(depth + 1);
  return `${open}${gap}${parts.join(`,${gap}`)}${lineBreak}${unit.repeat(depth)}${close}`;
}

const text = fc
  .tuple(
    fc.constantFrom("", "\uFEFF"),
    fc.oneof(
      fc.tuple(settings, trivia, fc.boolean()).map(([written, bits, commas]) => scatter(written, bits, commas)),
      fc
        .tuple(settings, fc.constantFrom("", " ", "  ", "    ", "\t"), fc.constantFrom("\n", "\r\n"), fc.boolean())
        .map(([written, unit, lineBreak, ends]) => indent(written, unit, lineBreak) + (ends ? lineBreak : "")),
      settings.map((written) => scatter(written, [""], false)),
      fc.stringMatching(/^[ \t\r\n]{0,4}$/),
    ),
  )
  .map(([mark, body]) => mark + body);

const RUNS = { numRuns: 500 };

function changed(edit: SettingsEdit): { text: string | undefined; undo: SettingsUndo | undefined } {
  if (edit.kind !== "changed") throw new Error(JSON.stringify(edit));
  return edit;
}

/** Skips texts whose shape we refuse. */
function add(
  before: string | undefined,
  entries = ENTRIES,
  undo?: SettingsUndo,
): { text: string; undo: SettingsUndo | undefined } {
  const edit = addHooks(before, entries, undo);
  fc.pre(edit.kind !== "invalid");
  const after = changed(edit);
  return { ...after, text: after.text ?? "" };
}

test("adding and removing leaves any text unchanged", () => {
  fc.assert(
    fc.property(text, (before) => {
      const added = add(before);
      expect(changed(removeHooks(added.text, added.undo)).text).toBe(before);
    }),
    RUNS,
  );
});

test("added hooks are readable, and adding them again changes nothing", () => {
  fc.assert(
    fc.property(text, (before) => {
      const added = add(before);
      expect(parseJsonDocument(added.text.replace("\uFEFF", "")).kind).toBe("parsed");
      expect(addHooks(added.text, ENTRIES, added.undo).kind).toBe("unchanged");
    }),
    RUNS,
  );
});

test("adding only inserts, unless it replaces an empty value", () => {
  fc.assert(
    fc.property(text, (before) => {
      const added = add(before);
      fc.pre(added.undo?.replaced.length === 0);
      let at = 0;
      for (const character of added.text)
        if (at < before.length && before.startsWith(character, at)) at += character.length;
      expect(at).toBe(before.length);
    }),
    RUNS,
  );
});

test("two programs leave the text unchanged, in any order of install and uninstall", () => {
  fc.assert(
    fc.property(text, fc.boolean(), fc.boolean(), (before, firstIn, firstOut) => {
      const one = add(before, firstIn ? ENTRIES : OTHER);
      const both = add(one.text, firstIn ? OTHER : ENTRIES, one.undo);
      const half = changed(removeHooks(both.text, both.undo, [firstOut ? "ai-runtime" : "session-snapshot"]));
      expect(changed(removeHooks(half.text, half.undo)).text).toBe(before);
    }),
    RUNS,
  );
});

test("only an edit made in between remains", () => {
  const edits: ((text: string) => string)[] = [
    (edited) => edited.replaceAll(MARK, '{"changed": [1, 2]}'),
    (edited) => edited.replace(/\{/, '{"added": true, '),
    (edited) => `${edited}\n// the end`,
  ];
  fc.assert(
    fc.property(text, fc.constantFrom(...edits), (before, edit) => {
      // An edit in an empty file or object touches ours: the result is equivalent, but not byte-identical.
      fc.pre(Object.keys(parse(before.replace("\uFEFF", "")) ?? {}).length > 0 && !/^\W*\/[/*][^]*?\{/.test(before));
      const added = add(before);
      expect(changed(removeHooks(edit(added.text), added.undo)).text).toBe(edit(before));
    }),
    RUNS,
  );
});

test("after Claude rewrites the whole file, only the formatting differs", () => {
  const rewrite = (before: string): string => JSON.stringify(parse(before.replace("\uFEFF", "")) ?? {}, null, 2);
  fc.assert(
    fc.property(text, (before) => {
      fc.pre(parse(before.replace("\uFEFF", "")) !== undefined);
      const added = add(before);
      // A replaced value is restored as it was written, not as Claude would write it.
      fc.pre(added.undo?.replaced.length === 0);
      expect(changed(removeHooks(rewrite(added.text), added.undo)).text).toBe(rewrite(before));
    }),
    RUNS,
  );
});

test("accepts the same texts as JSON.parse, apart from comments and trailing commas", () => {
  const noise = fc.array(
    fc.constantFrom("{", "}", "[", "]", ",", ":", '"a"', "1", "-", ".5", "e", "null", "tru", " ", "\n", "\u00a0", "\\"),
    { maxLength: 9 },
  );
  fc.assert(
    fc.property(
      noise.map((parts) => parts.join("")),
      (candidate) => {
        const strict = ((): boolean => {
          try {
            JSON.parse(candidate);
            return true;
          } catch {
            return false;
          }
        })();
        const ours = parseJsonDocument(candidate).kind === "parsed";
        expect(ours).toBe(strict || (ours && /,\s*[}\]]/.test(candidate)));
      },
    ),
    { numRuns: 5000 },
  );
});

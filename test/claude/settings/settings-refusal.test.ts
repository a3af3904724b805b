import { describe, expect, test } from "bun:test";
import { snapshotHookEntries } from "../../../src/claude/hooks/hook-entries.ts";
import { findStrictJsonProblem } from "../../../src/claude/settings/json-document.ts";
import { addHooks, removeHooks } from "../../../src/claude/settings/settings.ts";

const ENTRIES = snapshotHookEntries({
  executable: "/opt/bin/session-snapshot",
  version: { major: 2, minor: 1, patch: 325 },
});

describe("refuses a text that is not settings, with the position", () => {
  const broken: [text: string, line: number, column: number, message: string][] = [
    ["{", 1, 2, "closing }"],
    ['{\n  "a": 1\n', 3, 1, "closing }"],
    ['{\n  "a": [1\n}', 3, 1, "comma"],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, "comma"],
    ['{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3, "comma"],
    ['{\r  "a" 1\r}', 2, 7, "colon"],
    ['{"a": }', 1, 7, "value"],
    ["{a: 1}", 1, 2, "not JSON"],
    ["{'a': 1}", 1, 2, "not JSON"],
    ['{"a": "x', 1, 7, "string is not closed"],
    ['{"a": "\\q"}', 1, 7, "escape"],
    ['{"a": "\t"}', 1, 7, "control character"],
    ['{"a": 1} x', 1, 10, "not JSON"],
    ['{"a": 1}}', 1, 9, "after the end"],
    ['{"a": 1,, "b": 2}', 1, 9, "property name"],
    ["{}\n/* open", 2, 1, "comment is not closed"],
    ["// only a comment", 1, 18, "expected a value"],
    ['\uFEFF{"a" 1}', 1, 6, "colon"],
    ["\u00a0{}", 1, 1, "not JSON"],
    ["<<<<<<< HEAD\n{}", 1, 1, "not JSON"],
    ["\0\0\0\0", 1, 1, "not JSON"],
    ["[".repeat(200_000), 1, 1, "nested too deeply"],
    [`${"[".repeat(5_000)}${"]".repeat(5_000)}`, 1, 1, "nested too deeply"],
  ];
  test.each(broken)("%p", (text, line, column, message) => {
    for (const edit of [addHooks(text, ENTRIES), removeHooks(text)]) {
      expect(edit).toEqual({ kind: "invalid", line, column, message: expect.stringContaining(message) });
    }
  });

  const shapes: [text: string, line: number, column: number, message: string][] = [
    ["[]", 1, 1, "the settings are not an object"],
    ["null", 1, 1, "the settings are not an object"],
    ['\n"x"', 2, 1, "the settings are not an object"],
    ['{"hooks": "x"}', 1, 11, '"hooks" is a string, but Claude expects an object'],
    ['{"hooks": true}', 1, 11, '"hooks" is a boolean, but Claude expects an object'],
    ['{"hooks": [1]}', 1, 11, '"hooks" is a list, but Claude expects an object'],
    ['{\n  "hooks": {\n    "Stop": 3\n  }\n}', 3, 13, '"hooks.Stop" is a number, but Claude expects a list'],
    ['{"hooks": {"Stop": {"hooks": []}}}', 1, 20, '"hooks.Stop" is an object, but Claude expects a list'],
    ['{"hooks": {}, "hooks": "x"}', 1, 24, '"hooks" is a string, but Claude expects an object'],
  ];
  test.each(shapes)("%p", (text, line, column, message) => {
    expect(addHooks(text, ENTRIES)).toEqual({ kind: "invalid", line, column, message });
    expect(removeHooks(text)).toEqual({ kind: "unchanged" });
  });
});

describe("finds JSON that Claude does not accept", () => {
  const texts: [text: string, line: number, column: number, message: string][] = [
    ['{\n  // mine\n  "a": 1\n}', 2, 3, "comments are not allowed"],
    ["\uFEFF{ /* mine */ }", 1, 3, "comments are not allowed"],
    ['{\n  "a": [1,]\n}', 2, 11, "expected a value"],
    ['{"a": 1,}', 1, 9, "expected a property name in double quotes"],
  ];
  test.each(texts)("%p", (text, line, column, message) => {
    expect(findStrictJsonProblem(text)).toEqual({ line, column, message });
  });
  test.each([["{}"], ['\uFEFF{"a": "// no comment"}'], ['{"a": 1, "a": 2}\r\n']])("accepts %p", (text) => {
    expect(findStrictJsonProblem(text)).toBeUndefined();
  });
});

import { expect, test } from "bun:test";
import { emptyLine, hasKeys, pressesEscape, readKeys, type TypedLine } from "../../../src/claude/screen/typed-keys.ts";

const afterKeys = (...reads: readonly string[]): TypedLine =>
  reads.reduce((line, keys) => readKeys(line, Buffer.from(keys)), emptyLine);

test.each<[string, string, boolean]>([
  ["letters", "hel", true],
  ["letters and Enter", "hello\r", false],
  ["Enter and letters", "\rhello", true],
  ["cleared by Ctrl-U", "hello\x15", false],
  ["cleared by Ctrl-C", "hello\x03", false],
  ["arrows", "\x1b[A\x1b[1;5C\x1bOB", false],
  ["mouse and focus events", "\x1b[<0;12;40M\x1b[I", false],
  ["replies of the terminal", "\x1b]11;rgb:1c1c/1c1c/1c1c\x07\x1bP>|xterm\x1b\\", false],
  ["a paste", "\x1b[200~text\x1b[201~", true],
  ["Escape", "\x1b", false],
  ["Alt with a letter", "\x1bb", false],
  ["another script", "你", true],
])("the line is half typed after %s", (_, keys, half) => {
  expect(afterKeys(keys).isHalfTyped).toBe(half);
});

test("an arrow key keeps a half-typed line half-typed", () => {
  expect(afterKeys("x", "\x1b[A").isHalfTyped).toBe(true);
});

test.each(["\x1b]11;rgb:1c1c/1c1c/1c1c\x07", "\x1bP>|xterm\x1b\\", "\x1b[?64;1;2c", "\x1b_Gi=31;OK\x1b\\", "\x1bOB"])(
  "a reply of the terminal that arrives in two pieces is not text: %j",
  (reply) => {
    for (let cut = 1; cut < reply.length; cut++) {
      expect([cut, afterKeys(reply.slice(0, cut), reply.slice(cut)).isHalfTyped]).toEqual([cut, false]);
    }
    expect(afterKeys(reply, "x").isHalfTyped).toBe(true);
  },
);

test("a letter after the Escape key is text", () => {
  expect(afterKeys("\x1b", "i").isHalfTyped).toBe(true);
});

test.each<[string, string, { keys: boolean; escape: boolean }]>([
  ["letters", "hel", { keys: true, escape: false }],
  ["Backspace", "\x7f", { keys: true, escape: false }],
  ["Escape", "\x1b", { keys: true, escape: true }],
  ["Escape twice", "\x1b\x1b", { keys: true, escape: true }],
  ["Escape of the Kitty protocol", "\x1b[27u", { keys: false, escape: true }],
  ["arrows", "\x1b[A\x1bOB", { keys: false, escape: false }],
  ["focus events", "\x1b[I\x1b[O", { keys: false, escape: false }],
])("hasKeys and pressesEscape after %s", (_, text, expected) => {
  const bytes = Buffer.from(text);
  expect({ keys: hasKeys(bytes), escape: pressesEscape(bytes) }).toEqual(expected);
});

import { expect, test } from "bun:test";
import { isHalfTyped } from "../../src/core/half-typed.ts";

test.each<[string, string, boolean]>([
  ["letters", "hel", true],
  ["letters and Enter", "hello\r", false],
  ["Enter and letters", "\rhello", true],
  ["cleared by Ctrl-U", "hello\x15", false],
  ["cleared by Ctrl-C", "hello\x03", false],
  ["arrows", "\x1b[A\x1b[1;5C\x1bOB", false],
  ["a mouse and a focus", "\x1b[<0;12;40M\x1b[I", false],
  ["an answer of the terminal", "\x1b]11;rgb:1c1c/1c1c/1c1c\x07\x1bP>|xterm\x1b\\", false],
  ["a paste", "\x1b[200~text\x1b[201~", true],
  ["Escape", "\x1b", false],
  ["Alt with a letter", "\x1bb", false],
  ["another script", "你", true],
])("%s", (_, keys, half) => {
  expect(isHalfTyped(false, Buffer.from(keys))).toBe(half);
});

test("nothing typed changes nothing", () => {
  expect(isHalfTyped(true, Buffer.from("\x1b[A"))).toBe(true);
});

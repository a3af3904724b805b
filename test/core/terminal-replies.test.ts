import { expect, test } from "bun:test";
import { withoutReplies } from "../../src/core/terminal-replies.ts";

const rest = (text: string): string => Buffer.from(withoutReplies(Buffer.from(text))).toString();

test.each([
  ["what it is", "\x1b[?62;22c"],
  ["its version", "\x1b[>1;4000;30c"],
  ["its name", "\x1bP>|kitty 0.35\x1b\\"],
  ["where the cursor is", "\x1b[12;40R"],
  ["its background", "\x1b]11;rgb:1c1c/1c1c/1c1c\x07"],
  ["its background, ended otherwise", "\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\"],
  ["a mode", "\x1b[?2026;2$y"],
  ["its keyboard", "\x1b[?1u"],
  ["its size", "\x1b[8;24;80t"],
])("an answer is taken out: %s", (_, reply) => {
  expect(rest(`ä${reply}b`)).toBe("äb");
});

test.each([
  ["letters", "hello äöü 你好"],
  ["arrows", "\x1b[A\x1bOB"],
  ["F3 with shift", "\x1b[1;2R"],
  ["a mouse", "\x1b[<0;12;40M\x1b[<0;12;40m"],
  ["a focus", "\x1b[I\x1b[O"],
  ["a paste", "\x1b[200~text\x1b[201~"],
  ["a key in words", "\x1b[99;5u"],
  ["Escape", "\x1b"],
  ["Alt with a letter", "\x1bb"],
])("what a person does is not: %s", (_, typed) => {
  expect(rest(typed)).toBe(typed);
});

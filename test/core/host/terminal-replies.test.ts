import { expect, test } from "bun:test";
import { withoutReplies } from "../../../src/core/host/terminal-replies.ts";

const rest = (text: string): string => Buffer.from(withoutReplies(Buffer.from(text))).toString();

test.each([
  ["its identity", "\x1b[?62;22c"],
  ["its version", "\x1b[>1;4000;30c"],
  ["its name", "\x1bP>|kitty 0.35\x1b\\"],
  ["the cursor position", "\x1b[12;40R"],
  ["its background color", "\x1b]11;rgb:1c1c/1c1c/1c1c\x07"],
  ["its background color, ended by ST", "\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\"],
  ["a mode", "\x1b[?2026;2$y"],
  ["its keyboard", "\x1b[?1u"],
  ["its size", "\x1b[8;24;80t"],
])("removes the reply with %s", (_, reply) => {
  expect(rest(`ä${reply}b`)).toBe("äb");
});

test.each([
  ["letters", "hello äöü 你好"],
  ["arrows", "\x1b[A\x1bOB"],
  ["F3 with shift", "\x1b[1;2R"],
  ["mouse events", "\x1b[<0;12;40M\x1b[<0;12;40m"],
  ["focus events", "\x1b[I\x1b[O"],
  ["a paste", "\x1b[200~text\x1b[201~"],
  ["a key as escape sequence", "\x1b[99;5u"],
  ["Escape", "\x1b"],
  ["Alt with a letter", "\x1bb"],
])("keeps user input: %s", (_, typed) => {
  expect(rest(typed)).toBe(typed);
});

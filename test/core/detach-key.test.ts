import { describe, expect, test } from "bun:test";
import { type DetachKey, DetachKeyReader, parseDetachKey, usualDetachKey } from "../../src/core/detach-key.ts";

const read = (pieces: readonly string[], key: DetachKey = usualDetachKey): { typed: string; detached: boolean } => {
  const reader = new DetachKeyReader(key);
  let typed = "";
  for (const piece of pieces) {
    const { forward, detach } = reader.read(Buffer.from(piece));
    typed += Buffer.from(forward).toString();
    if (detach) return { typed, detached: true };
  }
  return { typed, detached: false };
};

describe("Ctrl-\\ d", () => {
  test.each<[string, string[], string, boolean]>([
    ["in one piece", ["\x1cd"], "", true],
    ["in two", ["\x1c", "d"], "", true],
    ["what came before it is typed", ["ab\x1cdcd"], "ab", true],
    ["another letter gets both", ["\x1cx"], "\x1cx", false],
    ["twice is once for the program", ["\x1c\x1c", "d"], "\x1cd", false],
    ["alone it waits", ["\x1c"], "", false],
    ["d alone is a letter", ["d"], "d", false],
    ["Ctrl-C, Ctrl-D and Ctrl-Z are the program's", ["\x03\x04\x1a"], "\x03\x04\x1a", false],
    ["keys in words, kitty's", ["\x1b[92;5u", "d"], "", true],
    ["keys in words, with their event", ["\x1b[92;5:1u", "d"], "", true],
    ["keys in words, xterm's", ["\x1b[27;5;92~d"], "", true],
    ["keys in words, with Num Lock on", ["\x1b[92;133u", "d"], "", true],
    ["keys in words, with Caps Lock on", ["\x1b[92;69u", "d"], "", true],
    ["keys in words, and let go", ["\x1b[92;5u", "\x1b[92;5:3u", "d"], "", true],
    ["let go without having been pressed here", ["\x1b[92;5:3u", "d"], "\x1b[92;5:3ud", false],
    ["Ctrl and Shift is another key", ["\x1b[92;6u", "d"], "\x1b[92;6ud", false],
    ["not in a paste", ["\x1b[200~a\x1cdb\x1b[201~"], "\x1b[200~a\x1cdb\x1b[201~", false],
    ["not in a paste in pieces", ["\x1b[20", "0~a\x1c", "d\x1b[201", "~c"], "\x1b[200~a\x1cd\x1b[201~c", false],
    ["after a paste", ["\x1b[200~a\x1b[201~", "\x1cd"], "\x1b[200~a\x1b[201~", true],
    ["another key in words", ["\x1b[99;5u", "d"], "\x1b[99;5ud", false],
    ["other keys", ["\x1b[A\x1b[1;5C"], "\x1b[A\x1b[1;5C", false],
    ["letters of other scripts", ["äöü 你好"], "äöü 你好", false],
  ])("%s", (_, pieces, typed, detached) => {
    expect(read(pieces)).toEqual({ typed, detached });
  });
});

describe("a key of the user's own", () => {
  test.each<[string, string, number, number | undefined]>([
    ["ctrl-]", "Ctrl-]", 0x1d, undefined],
    ["Ctrl+B D", "Ctrl-B d", 2, 0x64],
    ["^q", "Ctrl-Q", 0x11, undefined],
  ])("%s", (text, name, first, second) => {
    expect(parseDetachKey(text)).toEqual({ name, first, second });
  });
  test.each(["", "d", "ctrl-", "alt-d", "ctrl-b dd", "ctrl-ä", "ctrl-[", "ctrl-m", "ctrl-j d", "^i"])(
    "not %j",
    (text) => {
      expect(parseDetachKey(text)).toBeUndefined();
    },
  );
  test("one key detaches at once", () => {
    const key = parseDetachKey("ctrl-]");
    expect(read(["a\x1db"], key)).toEqual({ typed: "a", detached: true });
  });
});

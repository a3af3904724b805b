import { describe, expect, test } from "bun:test";
import { type DetachKey, parseDetachKey } from "../../../src/core/host/detach-key.ts";
import { DetachKeyReader } from "../../../src/core/host/detach-key-reader.ts";
import { readSettings } from "../../../src/core/settings.ts";

const defaultKey = readSettings(undefined, {}).settings.detachKey;

const read = (
  pieces: readonly string[],
  key: DetachKey = defaultKey,
  takesCommands = false,
): { typed: string; detached: boolean; commands?: string[] } => {
  const reader = new DetachKeyReader(key, { takesCommands });
  const all: string[] = [];
  let typed = "";
  for (const piece of pieces) {
    const { forward, detach, commands } = reader.read(Buffer.from(piece));
    all.push(...commands);
    typed += Buffer.from(forward).toString();
    if (detach) return { typed, detached: true };
  }
  return { typed, detached: false, ...(all.length > 0 ? { commands: all } : {}) };
};

describe("Ctrl-\\ d", () => {
  test.each<[string, string[], string, boolean]>([
    ["detaches when both keys come together", ["\x1cd"], "", true],
    ["detaches when the keys come apart", ["\x1c", "d"], "", true],
    ["forwards the bytes before the key", ["ab\x1cdcd"], "ab", true],
    ["forwards both keys when the letter is another one", ["\x1cx"], "\x1cx", false],
    ["forwards one key when the first is pressed twice", ["\x1c\x1c", "d"], "\x1cd", false],
    ["holds the first key back", ["\x1c"], "", false],
    ["forwards the letter alone", ["d"], "d", false],
    ["forwards Ctrl-C, Ctrl-D and Ctrl-Z", ["\x03\x04\x1a"], "\x03\x04\x1a", false],
    ["detaches with kitty's sequence", ["\x1b[92;5u", "d"], "", true],
    ["detaches with kitty's sequence with an event", ["\x1b[92;5:1u", "d"], "", true],
    ["detaches with xterm's sequence", ["\x1b[27;5;92~d"], "", true],
    ["detaches with Num Lock on", ["\x1b[92;133u", "d"], "", true],
    ["detaches with Caps Lock on", ["\x1b[92;69u", "d"], "", true],
    ["ignores the release of the first key", ["\x1b[92;5u", "\x1b[92;5:3u", "d"], "", true],
    ["forwards a release without a press", ["\x1b[92;5:3u", "d"], "\x1b[92;5:3ud", false],
    ["forwards Ctrl with Shift", ["\x1b[92;6u", "d"], "\x1b[92;6ud", false],
    ["does not detach inside a paste", ["\x1b[200~a\x1cdb\x1b[201~"], "\x1b[200~a\x1cdb\x1b[201~", false],
    [
      "does not detach inside a paste that comes in pieces",
      ["\x1b[20", "0~a\x1c", "d\x1b[201", "~c"],
      "\x1b[200~a\x1cd\x1b[201~c",
      false,
    ],
    ["detaches after a paste", ["\x1b[200~a\x1b[201~", "\x1cd"], "\x1b[200~a\x1b[201~", true],
    ["forwards the sequence of another key", ["\x1b[99;5u", "d"], "\x1b[99;5ud", false],
    ["forwards arrow keys", ["\x1b[A\x1b[1;5C"], "\x1b[A\x1b[1;5C", false],
    ["forwards letters of other scripts", ["äöü 你好"], "äöü 你好", false],
  ])("%s", (_, pieces, typed, detached) => {
    expect(read(pieces)).toEqual({ typed, detached });
  });
});

describe("the prefix of a host that knows commands", () => {
  test.each<[string, string[], string, string[]]>([
    ["takes r", ["a\x1cr", "b"], "ab", ["restore"]],
    ["takes x and ?, also in pieces", ["\x1c", "x", "\x1c?"], "", ["dismiss", "keys"]],
    ["takes r after kitty's sequence", ["\x1b[92;5u", "\x1b[92;5:3u", "r"], "", ["restore"]],
    ["takes nothing inside a paste", ["\x1b[200~\x1cr\x1b[201~"], "\x1b[200~\x1cr\x1b[201~", []],
    ["forwards it once when it is pressed twice", ["\x1c\x1cr"], "\x1cr", []],
    ["forwards an unknown key with it", ["\x1cq"], "\x1cq", []],
  ])("%s", (_, pieces, typed, commands) => {
    expect(read(pieces, defaultKey, true)).toEqual({
      typed,
      detached: false,
      ...(commands.length > 0 ? { commands } : {}),
    });
  });
  test("detaches when the letter of the detach key is one of them", () => {
    expect(read(["\x02r"], parseDetachKey("ctrl-b r"), true)).toEqual({ typed: "", detached: true });
  });
  test("forwards the keys to the program of an older host", () => {
    expect(read(["\x1cr"], defaultKey)).toEqual({ typed: "\x1cr", detached: false });
  });
});

describe("the detachKey setting", () => {
  test.each<[string, string, number, number | undefined]>([
    ["ctrl-]", "Ctrl-]", 0x1d, undefined],
    ["Ctrl+B D", "Ctrl-B d", 2, 0x64],
    ["^q", "Ctrl-Q", 0x11, undefined],
  ])("reads %s", (text, name, first, second) => {
    expect(parseDetachKey(text)).toEqual({ name, first, second });
  });
  test.each(["", "d", "ctrl-", "alt-d", "ctrl-b dd", "ctrl-ä", "ctrl-[", "ctrl-m", "ctrl-j d", "^i"])(
    "refuses %j",
    (text) => {
      expect(parseDetachKey(text)).toBeUndefined();
    },
  );
  test("detaches at once with a single key", () => {
    const key = parseDetachKey("ctrl-]");
    expect(read(["a\x1db"], key)).toEqual({ typed: "a", detached: true });
  });
});

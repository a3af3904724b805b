import { describe, expect, test } from "bun:test";
import { quotePosix, quotePosixWord, quotePosixWords } from "../../src/core/posix-quote.ts";

describe("quoting for a POSIX shell", () => {
  test.each(["claude", "/opt/a-b_c/claude", "--model=opus", "user@host:1,2%+"])("leaves %s as it is", (word) => {
    expect(quotePosixWord(word)).toBe(word);
  });

  test.each([
    ["", "''"],
    ["two words", "'two words'"],
    ["it's", "'it'\\''s'"],
    ["$HOME", "'$HOME'"],
    ["~", "'~'"],
    ["A=b", "'A=b'"],
    ["A+=b", "'A+=b'"],
  ])("quotes %p as %s", (word, quoted) => {
    expect(quotePosixWord(word)).toBe(quoted);
    expect(quotePosix(word)).toBe(quoted);
  });

  test.skipIf(process.platform === "win32")("makes a line from which sh reads the same words", () => {
    const words = ["A=b", "it's", "two words", "a\nb", "`x`", '"', "\\", "--flag=1", ""];
    const { stdout } = Bun.spawnSync(["sh", "-c", `printf '%s\\0' ${quotePosixWords(words)}`]);
    expect(stdout.toString().split("\0").slice(0, -1)).toEqual(words);
  });
});

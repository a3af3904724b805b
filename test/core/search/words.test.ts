import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WordSet } from "../../../src/core/search/word-set.ts";
import { foldWord, forEachWord } from "../../../src/core/search/words.ts";

function wordsOf(text: string): string[] {
  const found: string[] = [];
  forEachWord(text, (start, end) => found.push(foldWord(text.slice(start, end))));
  return found.filter((word) => word !== "");
}

describe("a text becomes words", () => {
  const cases: [title: string, text: string, words: string[]][] = [
    ["plain words in lower case", "The Tests pass", ["the", "tests", "pass"]],
    ["snake_case by its parts", "max_disk_bytes", ["max", "disk", "bytes"]],
    ["camelCase whole and by its parts", "loadConfig", ["loadconfig", "load", "config"]],
    ["an acronym is one part", "HTTPServer", ["httpserver", "http", "server"]],
    ["capitals alone are one word", "ENOSPC", ["enospc"]],
    ["digits belong to the word", "utf8 v2 5433", ["utf8", "v2", "5433"]],
    ["a path by its parts", "src/core/words.ts:12", ["src", "core", "words", "ts", "12"]],
    ["accents do not count", "Café naïve", ["cafe", "naive"]],
    ["other alphabets", "Привет Ελλάδα", ["привет", "ελλαδα"]],
    ["Chinese as pairs, and the last character", "数据库连接", ["数据", "据库", "库连", "连接", "接"]],
    ["Japanese next to Latin", "設定fileを", ["設定", "定", "file", "を"]],
    ["colors of a terminal are not part of a word", "\u001b[31mError\u001b[0m here", ["error", "here"]],
    ["an emoji is a word", "done 🎉", ["done", "🎉"]],
    ["a character of several characters", "⑴ ½", ["1", "1⁄2"]],
    ["long words by their beginning", "a".repeat(100), ["a".repeat(40)]],
    ["nothing", " \n\t.,;\u0000", []],
  ];
  test.each(cases)("%s", (_title, text, words) => expect(wordsOf(text)).toEqual(words));
});

test("the set for the index has exactly the words that a query can ask for", () => {
  const alphabet = fc.constantFrom(..."abzAZ09_.- é字字典\u001b[m\n😀".split(""), "Foo", "HTTP", "x".repeat(45));
  fc.assert(
    fc.property(fc.array(fc.oneof(alphabet, fc.string({ unit: "binary" }))), (parts) => {
      const text = parts.join("");
      const set = new WordSet();
      set.add(text);
      expect(new Set(set.take())).toEqual(new Set(wordsOf(text)));
    }),
    { numRuns: 300 },
  );
});

test("a set has each word once, and forgets them when they are taken", () => {
  const set = new WordSet();
  set.add("one two One");
  set.add("two THREE");
  expect(set.take()).toEqual(["one", "two", "three"]);
  set.add("two");
  expect(set.take()).toEqual(["two"]);
});

test("a text with more words than the table keeps them all", () => {
  const set = new WordSet();
  const words = Array.from({ length: 40_000 }, (_, number) => `w${number}`);
  set.add(words.join(" "));
  expect(new Set(set.take())).toEqual(new Set(words));
});

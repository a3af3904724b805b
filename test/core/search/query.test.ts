import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { matchText } from "../../../src/core/search/match.ts";
import { expressionOf, parseQuery } from "../../../src/core/search/query.ts";

/** Whether a text matches all terms of a query, and no excluded one. */
function matches(query: string, text: string): boolean {
  const parsed = parseQuery(query);
  const spans = matchText(parsed, text);
  return spans !== undefined && new Set(spans.map(({ term }) => term)).size === parsed.all.length;
}

describe("a query matches a text", () => {
  const cases: [query: string, text: string, matches: boolean][] = [
    ["pool timeout", "The TIMEOUT of the pool", true],
    ["pool timeout", "the pool", false],
    ['"pool timeout"', "the pool timeout", true],
    ['"pool timeout"', "the timeout of the pool", false],
    ['"unfinished phrase', "an unfinished phrase", true],
    ["conf*", "the configuration", true],
    ["conf", "the configuration", false],
    ["load -config", "load the file", true],
    ["load -config", "load the config", false],
    ['load -"the config"', "load config", true],
    ["config", "loadConfig()", true],
    ["loadconfig", "loadConfig()", true],
    ["loadConfig", "load_config", true],
    ["userName", "getUserName()", true],
    ["getUs*", "getUserName()", true],
    ["max_disk", "maxDisk: 5", true],
    ["src/core/words.ts", "see src/core/words.ts:12", true],
    ["words.ts", "words of ts", false],
    ["据库", "数据库连接", true],
    ["数据库", "数据库连接", true],
    ["库", "数据库连接", true],
    ["接", "数据库连接", true],
    ["数库", "数据库连接", false],
    ["café", "CAFE", true],
    ["exit 137", "Exit code 137", true],
  ];
  test.each(cases)("%s in %s: %p", (query, text, expected) => expect(matches(query, text)).toBe(expected));
});

test("any text is a query, and its words are found in itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const words = text.replace(/[-"*]/g, " ");
      const { all } = parseQuery(words);
      expect(expressionOf(parseQuery(text), "any") === undefined).toBe(parseQuery(text).all.length === 0);
      if (all.length > 0 && all.length < 24) expect(matches(words, words)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("a query of any length is bounded", () => {
  const { all } = parseQuery("word ".repeat(10_000));
  expect(all.length).toBeLessThanOrEqual(24);
  expect(parseQuery("x".repeat(10_000)).all).toHaveLength(1);
  expect(parseQuery(`"${"a b ".repeat(5_000)}"`).all[0]?.parts.length).toBeLessThanOrEqual(32);
});

test("quotes and operators alone are no words", () => {
  for (const text of ['"', '""', "-", "*", "--", "AND", "NEAR(", "' OR 1=1 --", ":*^"]) {
    const { all } = parseQuery(text);
    for (const { parts } of all) for (const part of parts) expect(part).toMatch(/^[a-z0-9]+$/);
  }
});

import { expect, test } from "bun:test";
import { matchText } from "../../../src/core/search/match.ts";
import { parseQuery } from "../../../src/core/search/query.ts";
import { type Candidate, scoreOf } from "../../../src/core/search/rank.ts";
import { snippetOf } from "../../../src/core/search/snippet.ts";

const dayMs = 86_400_000;
const now = Date.parse("2026-11-18T12:00:00Z");

function score(query: string, text: string, more: Partial<Candidate> & { days?: number } = {}): number {
  const parsed = parseQuery(query);
  const time = now - (more.days ?? 0) * dayMs;
  const spans = matchText(parsed, text) ?? [];
  return scoreOf({ spans, role: "claude", textLength: text.length, time, ...more }, parsed.all.length, now);
}

test("a text with more of the words comes first, however old it is", () => {
  expect(score("pool timeout", "pool … timeout", { days: 300 })).toBeGreaterThan(
    score("pool timeout", "pool pool pool"),
  );
});

test("words side by side come before words far apart", () => {
  const apart = `pool ${"other ".repeat(50)} timeout`;
  const together = `${"other ".repeat(50)} pool timeout`;
  expect(score("pool timeout", together)).toBeGreaterThan(score("pool timeout", apart));
});

test("of equal texts, the newer comes first, and the user's before a tool's", () => {
  expect(score("pool", "pool")).toBeGreaterThan(score("pool", "pool", { days: 30 }));
  expect(score("pool", "pool", { role: "user" })).toBeGreaterThan(score("pool", "pool", { role: "tool" }));
  expect(score("pool", "pool")).toBeGreaterThan(score("pool", "pool", { time: undefined }));
});

test("a short text comes before a long one with the same word", () => {
  expect(score("pool", "the pool")).toBeGreaterThan(score("pool", `the pool ${"and more ".repeat(500)}`));
});

test("a snippet is one line around the words, and marks them", () => {
  const text = `${"before ".repeat(40)}\n\n the pool\n has a timeout ${"after ".repeat(40)}`;
  const { text: line, marks } = snippetOf(text, matchText(parseQuery("timeout pool"), text) ?? [], 100);
  expect(line).not.toContain("\n");
  expect(line.length).toBeLessThanOrEqual(106);
  expect(line.startsWith("… ")).toBe(true);
  expect(line.endsWith(" …")).toBe(true);
  expect(marks.map(([start, end]) => line.slice(start, end))).toEqual(["pool", "timeout"]);
});

test("a snippet of a short text is the text", () => {
  expect(snippetOf("the pool", matchText(parseQuery("pool"), "the pool") ?? [], 100)).toEqual({
    text: "the pool",
    marks: [[4, 8]],
  });
  expect(snippetOf("no match", [], 100)).toEqual({ text: "no match", marks: [] });
});

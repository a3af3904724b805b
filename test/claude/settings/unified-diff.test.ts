import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { unifiedDiff } from "../../../src/claude/settings/unified-diff.ts";

const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join("");

describe("a unified diff", () => {
  test("is empty for equal texts", () => expect(unifiedDiff("a\n", "a\n", "x")).toBe(""));
  test("shows a change with context lines", () => {
    const diff = unifiedDiff(
      lines("1", "2", "3", "4", "5", "6", "7", "8", "9"),
      lines("1", "2", "3", "4", "new", "6", "7", "8", "9"),
      "f",
    );
    expect(diff).toBe(lines("--- f", "+++ f", "@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+new", " 6", " 7", " 8"));
  });
  test("shows distant changes in separate hunks", () => {
    const many = Array.from({ length: 20 }, (_, at) => String(at));
    const diff = unifiedDiff(lines(...many), lines("top", ...many, "end"), "f");
    expect(diff.match(/^@@.*@@$/gm)).toEqual(["@@ -1,3 +1,4 @@", "@@ -18,3 +19,4 @@"]);
  });
  test("shows a new file", () => {
    expect(unifiedDiff("", "{}\n", "f")).toBe(lines("--- f", "+++ f", "@@ -0,0 +1,1 @@", "+{}"));
  });
  test("shows a removed file", () => {
    expect(unifiedDiff("{}\n", "", "f")).toBe(lines("--- f", "+++ f", "@@ -1,1 +0,0 @@", "-{}"));
  });
  test("says when the final line break is missing", () => {
    expect(unifiedDiff("a", "a\n", "f")).toBe(
      lines("--- f", "+++ f", "@@ -1,1 +1,1 @@", "-a", "\\ No newline at end of file", "+a"),
    );
  });
  test("hides carriage returns when all lines have them", () => {
    expect(unifiedDiff("a\r\nb\r\n", "a\r\nc\r\n", "f")).toBe(
      lines("--- f", "+++ f", "@@ -1,2 +1,2 @@", " a", "-b", "+c"),
    );
  });
  test("shows carriage returns when they are the change", () => {
    expect(unifiedDiff("a\r\n", "a\n", "f")).toBe(lines("--- f", "+++ f", "@@ -1,1 +1,1 @@", "-a␍", "+a"));
  });
  test("escapes control characters", () => {
    expect(unifiedDiff("", "\u001b[2J\u009b\t\n", "f")).toContain("+\\u001b[2J\\u009b\t\n");
  });
  test("shows a huge change as one block", () => {
    const before = lines(...Array.from({ length: 2100 }, (_, at) => `a${at}`));
    const diff = unifiedDiff(before, before.replaceAll("a", "b"), "f");
    expect(diff.match(/^-a/gm)).toHaveLength(2100);
    expect(diff.match(/^\+b/gm)).toHaveLength(2100);
  });
});

test("contains both texts completely", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "{", "}"), { maxLength: 12 }).map((all) => lines(...all));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const shown = unifiedDiff(before, after, "f").split("\n").slice(2, -1);
      let at = 0;
      const old = before.split("\n").slice(0, -1);
      const rebuilt: string[] = [];
      for (const line of shown) {
        const hunk = /^@@ -(\d+),(\d+)/.exec(line);
        const start = hunk ? Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1) : 0;
        if (hunk) for (; at < start; at += 1) rebuilt.push(old[at] ?? "");
        else if (line.startsWith("+")) rebuilt.push(line.slice(1));
        else {
          expect(old[at]).toBe(line.slice(1));
          at += 1;
          if (line.startsWith(" ")) rebuilt.push(line.slice(1));
        }
      }
      expect(lines(...rebuilt, ...old.slice(at))).toBe(after);
    }),
    { numRuns: 500 },
  );
});

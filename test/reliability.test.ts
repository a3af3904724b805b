// docs/RELIABILITY.md names a test for every promise: each of them must be there, by its file and its words.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = join(import.meta.dir, "..");
const document = readFileSync(join(root, "docs/RELIABILITY.md"), "utf8");

interface Promised {
  promise: string;
  tests: { file: string; title: string }[];
}

/** The tables of promises, by their headings. */
function tables(): Map<string, Promised[]> {
  const [section = ""] = document.split("\n## What is promised\n")[1]?.split("\n## ") ?? [];
  const parts = section.split("\n### ").slice(1);
  return new Map(parts.map((part) => [part.split("\n")[0] ?? "", promises(part)]));
}

/** The rows of a table: what is promised, and the tests that show it. */
function promises(part: string): Promised[] {
  // The first two are its head.
  const rows = part.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) => {
    const [promise = "", shown = ""] = row
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    const tests = shown.split("<br>").map((each) => {
      const [, file = "no test", title = ""] = /^`(test\/[^`]+)`: (.+)$/.exec(each.trim()) ?? [];
      return { file, title };
    });
    return { promise, tests };
  });
}

/** The file's text and that of what it takes from beside it: many titles are put together from stories. */
function textOf(path: string, seen = new Set<string>()): string {
  if (seen.has(path)) return "";
  seen.add(path);
  const text = readFileSync(path, "utf8");
  const imports = [...text.matchAll(/from "(\.[^"]+)"/g)].map((match) => resolve(dirname(path), match[1] ?? ""));
  const beside = imports.filter((each) => each.startsWith(join(root, "test/")) && existsSync(each));
  return [text, ...beside.map((each) => textOf(each, seen))].join("\n");
}

test("every promise has a row, and every row a test that is there", () => {
  const all = [...tables()];
  expect(all.filter(([, rows]) => rows.length === 0).map(([heading]) => heading)).toEqual([]);
  const rows = all.flatMap(([, each]) => each);
  expect([all.length > 10, rows.length > 90]).toEqual([true, true]);
  for (const { promise, tests } of rows) {
    expect([promise, tests.length > 0]).toEqual([promise, true]);
    for (const { file, title } of tests) {
      expect([promise, file, existsSync(join(root, file))]).toEqual([promise, file, true]);
      expect([title, title.length > 5 && textOf(join(root, file)).includes(title)]).toEqual([title, true]);
    }
  }
});

// docs/RELIABILITY.md names a test for every promise, by file and title. Each of them must exist.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = join(import.meta.dir, "..");
const document = readFileSync(join(root, "docs/RELIABILITY.md"), "utf8");

interface ReliabilityPromise {
  promise: string;
  tests: { file: string; title: string }[];
}

/** The promises under each heading. */
function promisesByHeading(): Map<string, ReliabilityPromise[]> {
  const [section = ""] = document.split("\n## What is promised\n")[1]?.split("\n## ") ?? [];
  const parts = section.split("\n### ").slice(1);
  return new Map(parts.map((part) => [part.split("\n")[0] ?? "", promises(part)]));
}

/** Each top-level item is a promise; the items below it name its tests. */
function promises(part: string): ReliabilityPromise[] {
  const found: ReliabilityPromise[] = [];
  for (const line of part.split("\n")) {
    if (line.startsWith("- ")) found.push({ promise: line.slice(2), tests: [] });
    if (!line.startsWith("  - ")) continue;
    const [, file = "no test", title = ""] = /^`(test\/[^`]+)`: (.+)$/.exec(line.slice(4)) ?? [];
    found.at(-1)?.tests.push({ file, title });
  }
  return found;
}

/** The text of the file and of the test files it imports, because some titles are built from imported tables. */
function textOf(path: string, seen = new Set<string>()): string {
  if (seen.has(path)) return "";
  seen.add(path);
  const text = readFileSync(path, "utf8");
  const imports = [...text.matchAll(/from "(\.[^"]+)"/g)].map((match) => resolve(dirname(path), match[1] ?? ""));
  const testImports = imports.filter((each) => each.startsWith(join(root, "test/")) && existsSync(each));
  return [text, ...testImports.map((each) => textOf(each, seen))].join("\n");
}

test("every promise in docs/RELIABILITY.md names a test, and every named test exists", () => {
  const all = [...promisesByHeading()];
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

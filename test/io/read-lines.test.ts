import { afterAll, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forEachLine } from "../../src/io/read-lines.ts";

const scratch = mkdtempSync(join(tmpdir(), "read-lines-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function linesOf(text: string, to = Buffer.byteLength(text)): [line: string, ended: boolean][] {
  const path = join(scratch, "file");
  writeFileSync(path, text);
  const fd = openSync(path, "r");
  const found: [string, boolean][] = [];
  try {
    forEachLine(fd, to, (line, ended) => found.push([line, ended]));
  } finally {
    closeSync(fd);
  }
  return found;
}

test("LF ends a line and nothing else does; an unfinished last line is told apart", () => {
  expect(linesOf("a\r\n\nb\u2028c\nd")).toEqual([
    ["a\r", true],
    ["", true],
    ["b\u2028c", true],
    ["d", false],
  ]);
});

test("nothing is read beyond the given end", () => {
  expect(linesOf("one\ntwo\n", 4)).toEqual([["one", true]]);
  expect(linesOf("one\ntwo\n", 0)).toEqual([]);
});

test("lines longer than what is read at once arrive whole, also where a character lies across the border", () => {
  const lines = ["x".repeat(700_001), "€".repeat(300_000), "", "é".repeat(262_144), "end"];
  expect(linesOf(lines.join("\n")).map(([line]) => line)).toEqual(lines);
});

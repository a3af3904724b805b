import { afterAll, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forEachLine } from "../../../src/io/files/read-lines.ts";
import { linesBackwards } from "../../../src/io/files/read-lines-backwards.ts";

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

test("only LF ends a line, and an unfinished last line is marked", () => {
  expect(linesOf("a\r\n\nb\u2028c\nd")).toEqual([
    ["a\r", true],
    ["", true],
    ["b\u2028c", true],
    ["d", false],
  ]);
});

test("reads nothing beyond the given end", () => {
  expect(linesOf("one\ntwo\n", 4)).toEqual([["one", true]]);
  expect(linesOf("one\ntwo\n", 0)).toEqual([]);
});

test("delivers lines longer than a chunk complete, even with a character on the boundary", () => {
  const lines = ["x".repeat(700_001), "€".repeat(300_000), "", "é".repeat(262_144), "end"];
  expect(linesOf(lines.join("\n")).map(([line]) => line)).toEqual(lines);
});

function backwards(text: string, maxBytes?: number): string[] {
  const path = join(scratch, "backwards");
  writeFileSync(path, text);
  const fd = openSync(path, "r");
  try {
    return [...linesBackwards(fd, Buffer.byteLength(text), maxBytes)];
  } finally {
    closeSync(fd);
  }
}

test("backwards, delivers complete lines, newest first, of any length", () => {
  const lines = ["first", "€".repeat(100_000), "", "x".repeat(64 * 1024), "y".repeat(64 * 1024 - 1), "last"];
  expect(backwards(`${lines.join("\n")}\n`)).toEqual(lines.toReversed());
  expect(backwards(`${lines.join("\n")}\n${"torn".repeat(50_000)}`)).toEqual(lines.toReversed());
  expect(backwards("torn only")).toEqual([]);
  expect(backwards("")).toEqual([]);
});

test("backwards, ends at a line that begins before the limit", () => {
  expect(backwards("one\ntwo\nthree\n", 10)).toEqual(["three"]);
  expect(backwards("one\ntwo\nthree\n", 11)).toEqual(["three", "two"]);
});

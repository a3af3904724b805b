import { expect, test } from "bun:test";
import { IdTable } from "../../../src/claude/scanner/id-table.ts";

test("numbers ids in the order of their first use and keeps the numbers as the table grows", () => {
  const table = new IdTable();
  const ids = Array.from({ length: 300_000 }, (_, index) => Bun.hash(String(index)).toString(16));
  expect(ids.every((id, index) => table.intern(id) === index)).toBe(true);
  expect(ids.every((id, index) => table.intern(id) === index)).toBe(true);
  expect(table.size).toBe(ids.length);
});

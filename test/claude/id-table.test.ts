import { expect, test } from "bun:test";
import { IdTable } from "../../src/claude/id-table.ts";

test("ids get their numbers in the order of first sight, and keep them as the table grows", () => {
  const table = new IdTable();
  const ids = Array.from(
    { length: 300_000 },
    (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  );
  // So many that with half of the hash some would be taken for others.
  expect(ids.every((id, index) => table.intern(id) === index)).toBe(true);
  expect(ids.every((id, index) => table.intern(id) === index)).toBe(true);
  expect(table.size).toBe(ids.length);
});

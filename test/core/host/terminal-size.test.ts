import { expect, test } from "bun:test";
import { commonSize, limitSize } from "../../../src/core/host/terminal-size.ts";

test("commonSize is the smallest width and the smallest height", () => {
  const wide = { columns: 120, rows: 20 };
  const high = { columns: 80, rows: 50 };
  expect(commonSize([wide, high])).toEqual({ columns: 80, rows: 20 });
  expect(commonSize([wide])).toEqual(wide);
  expect(commonSize([])).toBeUndefined();
});

test.each([
  [
    { columns: 0, rows: 0 },
    { columns: 80, rows: 24 },
  ],
  [
    { columns: -5, rows: 1 },
    { columns: 80, rows: 2 },
  ],
  [
    { columns: 1e9, rows: 30 },
    { columns: 1_000, rows: 30 },
  ],
])("limitSize turns %j into %j", (given, limited) => {
  expect(limitSize(given)).toEqual(limited);
});

import { expect, test } from "bun:test";
import { commonSize, soundSize } from "../../src/core/terminal-size.ts";

test("the smaller size wins, in each direction", () => {
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
])("%j is taken as %j", (given, sound) => {
  expect(soundSize(given)).toEqual(sound);
});

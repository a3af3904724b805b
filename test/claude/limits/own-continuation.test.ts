import { expect, test } from "bun:test";
import { mayContinueForMs } from "../../../src/claude/limits/own-continuation.ts";

test.each([
  ["2.1.232", 0],
  ["2.1.238", 180_000],
  ["2.1.326", 180_000],
  [undefined, 180_000],
  ["unreadable", 180_000],
])("%s may continue on its own for %d ms", (version, expected) => {
  expect(mayContinueForMs(version)).toBe(expected);
});

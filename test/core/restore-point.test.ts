import { expect, test } from "bun:test";
import type { Mark } from "../../src/core/mark.ts";
import { chooseRestorePoint } from "../../src/core/restore-point.ts";

const mark = (n: number, size: number, contextTokens: number | null): Mark => ({
  n,
  size,
  contextTokens,
  time: n,
  reason: "Stop",
  lines: n,
  lastStep: null,
  hash: "",
});
const marks = [mark(1, 100, 10_000), mark(2, 200, 40_000), mark(3, 300, 90_000), mark(4, 400, 190_000)];
const need = { size: 450, maximum: undefined, accepted: null, previous: undefined };

test("the newest mark that leaves half of the window free", () => {
  expect(chooseRestorePoint(marks, need)?.n).toBe(3);
});

test("the window is what the refusal said, else what was last accepted", () => {
  expect(chooseRestorePoint(marks, { ...need, maximum: 100_000 })?.n).toBe(2);
  expect(chooseRestorePoint(marks, { ...need, accepted: 100_000 })?.n).toBe(2);
  expect(chooseRestorePoint(marks, { ...need, maximum: 10_000 })).toBeUndefined();
});

test("each repeat goes to half of the last one, at most", () => {
  expect(chooseRestorePoint(marks, { ...need, previous: marks[2] })?.n).toBe(2);
  expect(chooseRestorePoint(marks, { ...need, previous: marks[1] })?.n).toBe(1);
  expect(chooseRestorePoint(marks, { ...need, previous: marks[0] })).toBeUndefined();
});

test("a repeat passes over marks that are hardly smaller than what did not fit", () => {
  const close = [mark(1, 100, 30_000), mark(2, 200, 80_000), mark(3, 300, 90_000)];
  expect(chooseRestorePoint(close, { ...need, previous: close[2] })?.n).toBe(1);
});

test("the same place, marked again after a restore, is taken from the later copy", () => {
  expect(chooseRestorePoint([...marks, mark(7, 300, 90_000)], need)?.n).toBe(7);
});

test("without any known tokens, half of the bytes", () => {
  const unknown = [mark(1, 100, null), mark(2, 200, null), mark(3, 440, null)];
  expect(chooseRestorePoint(unknown, need)?.n).toBe(2);
  expect(chooseRestorePoint(unknown, { ...need, previous: unknown[1] })?.n).toBe(1);
});

test("what is as large as the conversation is no way back", () => {
  expect(chooseRestorePoint([mark(1, 450, 10)], need)).toBeUndefined();
  expect(chooseRestorePoint([], need)).toBeUndefined();
});

import { describe, expect, test } from "bun:test";
import { isCopyDue, isMarkDue, type SnapshotTrigger } from "../../../src/core/snapshot/snapshot-due.ts";

const rules = { minSize: 200_000, interval: 80_000 };
const now = 1_000_000;

describe("isMarkDue with the trigger interval", () => {
  test.each([
    [199_999, 0, false],
    [200_000, 0, true],
    [200_000, 200_000, false],
    [279_999, 200_000, false],
    [280_000, 200_000, true],
    [100_000, 20_000, true],
    [99_999, 20_000, false],
    [10, 200_000, false],
  ])("copied %d, marked %d: %p", (copied, marked, due) => {
    expect(isMarkDue("interval", { copied, marked }, rules)).toBe(due);
  });
});

describe("isCopyDue with the trigger interval", () => {
  test.each([
    ["the first bytes, at any size", 1, 0, now, true],
    ["a few bytes right after the last copy", 1_001, 1_000, now - 4_999, false],
    ["a few bytes some seconds after the last copy", 1_001, 1_000, now - 5_000, true],
    ["many bytes right after the last copy", 33_000, 1_000, now, true],
    ["a few bytes after the clock was set back", 1_001, 1_000, now + 1, true],
    ["no new bytes", 1_000, 1_000, 0, false],
    ["a shorter transcript", 10, 1_000, 0, false],
  ])("%s", (_, transcript, copied, copiedAt, due) => {
    expect(isCopyDue("interval", { transcript, copied }, { now, copiedAt })).toBe(due);
  });
});

test.each<[SnapshotTrigger, boolean]>([
  ["any-growth", true],
  ["interval", false],
  ["none", false],
])("%s marks every new byte: %p", (trigger, marks) => {
  expect(isMarkDue(trigger, { copied: 1, marked: 0 }, rules)).toBe(marks);
  expect(isMarkDue(trigger, { copied: 1, marked: 1 }, rules)).toBe(false);
  expect(isCopyDue(trigger, { transcript: 2, copied: 1 }, { now, copiedAt: now })).toBe(marks);
});

test("copies and marks nothing with the trigger none", () => {
  expect(isCopyDue("none", { transcript: 1_000_000, copied: 0 }, { now, copiedAt: 0 })).toBe(false);
  expect(isMarkDue("none", { copied: 1_000_000, marked: 0 }, rules)).toBe(false);
});

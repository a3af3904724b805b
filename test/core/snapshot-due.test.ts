import { describe, expect, test } from "bun:test";
import { isSnapshotDue, keepsEverything } from "../../src/core/snapshot-due.ts";

const rules = { minSize: 200_000, interval: 80_000 };

describe("PostToolUse", () => {
  test.each([
    [199_999, 0, false],
    [200_000, 0, true],
    [200_000, 200_000, false],
    [279_999, 200_000, false],
    [280_000, 200_000, true],
    [100_000, 20_000, true],
    [99_999, 20_000, false],
    [10, 200_000, false],
  ])("transcript %d, mirrored %d: %p", (transcript, mirrored, due) => {
    expect(isSnapshotDue({ event: "PostToolUse" }, { transcript, mirrored }, rules)).toBe(due);
  });
});

test.each([
  ["PreCompact", undefined, true],
  ["Stop", undefined, true],
  ["StopFailure", undefined, true],
  ["SessionEnd", undefined, true],
  ["SessionStart", "resume", true],
  ["SessionStart", "startup", false],
  ["SessionStart", "compact", false],
  ["UserPromptSubmit", undefined, false],
  ["Notification", undefined, false],
])("%s (%s) keeps the last byte: %p", (event, source, keeps) => {
  expect(keepsEverything({ event, source })).toBe(keeps);
  expect(isSnapshotDue({ event, source }, { transcript: 1, mirrored: 0 }, rules)).toBe(keeps);
  expect(isSnapshotDue({ event, source }, { transcript: 1, mirrored: 1 }, rules)).toBe(false);
});

import { expect, test } from "bun:test";
import { isRunId, makeRunId } from "../../../src/core/run/run-id.ts";

test("a run id contains its time in UTC, sorts by it, and is valid", () => {
  const id = makeRunId(Date.parse("2026-11-17T08:55:12Z"), () => 0);
  expect(id).toBe("20261117-085512-aaaa");
  expect(makeRunId(Date.parse("2026-11-17T08:55:13Z"), () => 0) > id).toBe(true);
  expect(isRunId(makeRunId(1_800_000_000_000, () => 0.999_999))).toBe(true);
});

test.each(["", "../../etc/passwd", "20261117-085512-aaaa/..", "20261117-085512-AAAA", "20261117-085512-aaaa\n"])(
  "%p is not a run id",
  (text) => {
    expect(isRunId(text)).toBe(false);
  },
);

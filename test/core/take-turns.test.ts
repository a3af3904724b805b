import { expect, test } from "bun:test";
import { makeRunId, isRunId } from "../../src/core/run-id.ts";
import { turnAfterReset } from "../../src/core/take-turns.ts";

const until = 1_800_000_000_000;
const waiting = ["a", "b", "c"].map((id) => ({ id, until }));

test("runs that wait for the same reset go one after the other, the first at once", () => {
  expect(["a", "b", "c"].map((id) => turnAfterReset(id, until, waiting, 0))).toEqual([0, 5_000, 10_000]);
  expect(turnAfterReset("c", until, waiting, 0.5)).toBe(11_000);
});

test("who waits for another reset, or for none, is not before anybody", () => {
  const others = [
    { id: "a", until: until + 600_000 },
    { id: "b", until: null },
  ];
  expect(turnAfterReset("c", until, others, 0)).toBe(0);
});

test("a run's id tells its time in UTC, sorts by it, and is known as one", () => {
  const id = makeRunId(Date.parse("2026-11-17T08:55:12Z"), () => 0);
  expect(id).toBe("20261117-085512-aaaa");
  expect(makeRunId(Date.parse("2026-11-17T08:55:13Z"), () => 0) > id).toBe(true);
  expect(isRunId(makeRunId(until, () => 0.999_999))).toBe(true);
});

test.each(["", "../../etc/passwd", "20261117-085512-aaaa/..", "20261117-085512-AAAA", "20261117-085512-aaaa\n"])(
  "%p is no id of a run",
  (text) => {
    expect(isRunId(text)).toBe(false);
  },
);

import { expect, test } from "bun:test";
import { turnAfterReset } from "../../../src/core/restart/take-turns.ts";

const until = 1_800_000_000_000;
const waiting = ["a", "b", "c"].map((id) => ({ id, until }));

test("runs that wait for the same reset resume one after the other, the first at once", () => {
  expect(["a", "b", "c"].map((id) => turnAfterReset(id, until, waiting, 0))).toEqual([0, 5_000, 10_000]);
  expect(turnAfterReset("c", until, waiting, 0.5)).toBe(11_000);
});

test("a run that waits for another reset or for none is not counted", () => {
  const others = [
    { id: "a", until: until + 600_000 },
    { id: "b", until: null },
  ];
  expect(turnAfterReset("c", until, others, 0)).toBe(0);
});

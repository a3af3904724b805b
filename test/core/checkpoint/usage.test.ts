import { expect, test } from "bun:test";
import { fullestReset, type Usage } from "../../../src/core/checkpoint/usage.ts";

const now = 1_800_000_000_000;
const window = (percent: number, resetsAt: number | null) => ({ percent, resetsAt });

test.each<[what: string, usage: Usage, expected: number | undefined]>([
  ["nothing known", {}, undefined],
  ["plenty left", { five_hour: window(89, now + 5) }, undefined],
  ["nearly used up", { five_hour: window(95, now + 5) }, now + 5],
  ["without a reset", { five_hour: window(95, null) }, undefined],
  ["already reset", { five_hour: window(95, now) }, undefined],
  ["the fuller window", { five_hour: window(95, now + 5), seven_day: window(99, now + 9) }, now + 9],
  ["two full windows: the later reset", { five_hour: window(100, now + 5), seven_day: window(100, now + 9) }, now + 9],
])("the reset of the fullest window: %s", (_, usage, expected) => {
  expect(fullestReset(usage, now)).toBe(expected);
});

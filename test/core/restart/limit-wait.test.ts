import { describe, expect, test } from "bun:test";
import { decideLimitWait, type LimitFacts, waitForKnownLimit } from "../../../src/core/restart/limit-wait.ts";

const now = 1_800_000_000_000;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const unknown: LimitFacts = { now, resetsAt: null, knownLimit: null, unknownLimit: hour, repeats: 0 };

describe("the wait after a limit", () => {
  test.each<[what: string, facts: Partial<LimitFacts>, endsIn: number, waits: number, known: boolean]>([
    ["known reset", { resetsAt: now + minute }, minute, minute + 500, true],
    ["reset that has passed", { resetsAt: now - minute }, -minute, 0, true],
    ["still there after its reset", { resetsAt: now, repeats: 1 }, 15_000, 15_000, true],
    ["still there a second time", { resetsAt: now, repeats: 2 }, minute, minute, true],
    ["still there a third time", { resetsAt: now, repeats: 3 }, 5 * minute, 5 * minute, true],
    ["still there a ninth time", { resetsAt: now, repeats: 9 }, 5 * minute, 5 * minute, true],
    ["repeated, with a reset ahead", { resetsAt: now + 10_000, repeats: 3 }, 10_000, 10_500, true],
    ["reset 8 days ahead", { resetsAt: now + 8 * day }, 8 * day, 8 * day + 500, true],
    ["reset more than 8 days ahead", { resetsAt: now + 8 * day + 1 }, hour, hour, false],
    ["unknown reset", {}, hour, hour, false],
    ["repeated, with an unknown reset", { repeats: 3 }, hour, hour, false],
    ["unknown reset that another run knows", { knownLimit: now + minute }, minute, minute + 500, true],
    ["another run knows a later reset", { resetsAt: now, knownLimit: now + hour }, hour, hour + 500, true],
    ["another run knows an earlier reset", { resetsAt: now + hour, knownLimit: now + 1 }, hour, hour + 500, true],
    ["another run's reset has passed", { knownLimit: now }, hour, hour, false],
    ["another run's reset is too far ahead", { knownLimit: now + 9 * day }, hour, hour, false],
  ])("%s", (_, facts, endsIn, waits, known) => {
    const expected = { endsAt: now + endsIn, until: now + waits, known };
    expect(decideLimitWait({ ...unknown, ...facts })).toEqual(expected);
  });
});

test("no reported limit needs no wait", () => {
  expect(waitForKnownLimit(null, now)).toBeUndefined();
});

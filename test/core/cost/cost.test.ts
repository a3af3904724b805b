import { describe, expect, test } from "bun:test";
import { addSample, forecastUsage, sampleWindow, type UsageSample } from "../../../src/core/cost/burn-rate.ts";
import {
  decideColdResume,
  estimateColdResume,
  learnCost,
  newCostModel,
  usageGrowth,
  type CostModel,
} from "../../../src/core/cost/cold-resume.ts";
import { totalCosts } from "../../../src/core/cost/run-costs.ts";

const now = 1_800_000_000_000;
const minute = 60_000;
const hour = 60 * minute;

describe("the estimate of a cold resume", () => {
  const last = { tokens: 200_000, time: now - hour, cacheMs: 5 * minute };

  test("is the whole context, once the prompt cache has expired", () => {
    expect(estimateColdResume(last, newCostModel, now)).toEqual({ tokens: 200_000, percent: null });
    expect(estimateColdResume({ ...last, time: now - 4 * minute }, newCostModel, now)).toBeUndefined();
    expect(estimateColdResume({ ...last, cacheMs: 2 * hour }, newCostModel, now)).toBeUndefined();
  });

  test("uses what was learned", () => {
    const model = { ratio: 1.06, percentPerMillion: 42 };
    expect(estimateColdResume(last, model, now)).toEqual({ tokens: 212_000, percent: expect.closeTo(8.9, 1) });
  });

  test("comes close to the truth after a few resumes, whatever the first guess was", () => {
    let model: CostModel = newCostModel;
    for (let n = 0; n < 8; n++) model = learnCost(model, { estimated: 100_000, real: 130_000, percent: 5.2 });
    expect(model.ratio).toBeCloseTo(1.3, 1);
    expect(model.percentPerMillion).toBeCloseTo(40, 1);
  });

  test("ignores what cannot be true, and limits one odd sample", () => {
    expect(learnCost(newCostModel, { estimated: 0, real: 5, percent: 1 })).toEqual(newCostModel);
    expect(learnCost(newCostModel, { estimated: 5, real: 0, percent: 1 })).toEqual(newCostModel);
    expect(learnCost(newCostModel, { estimated: 10, real: 10, percent: -3 }).percentPerMillion).toBeNull();
    expect(learnCost(newCostModel, { estimated: 1, real: 1_000_000, percent: null }).ratio).toBe(2);
  });
});

test.each([
  ["the same window", { percent: 10, resetsAt: now + hour }, { percent: 14, resetsAt: now + hour }, 4],
  ["a window that has reset", { percent: 90, resetsAt: now }, { percent: 4, resetsAt: now + hour }, 4],
  ["another window", { percent: 10, resetsAt: now + hour }, { percent: 14, resetsAt: now + 2 * hour }, null],
  ["nothing known before", undefined, { percent: 14, resetsAt: now + hour }, null],
] as const)("the growth of %s", (_, before, after, expected) => {
  expect(usageGrowth(before, after, now)).toBe(expected);
});

test.each([
  [100_000, "ask", true, "continue"],
  [200_000, "ask", true, "continue"],
  [200_001, "ask", true, "ask"],
  [200_001, "ask", false, "continue"],
  [200_001, "continue", true, "continue"],
  [200_001, "restore", true, "restore"],
  [200_001, "restore", false, "restore"],
  [100, "restore", false, "continue"],
] as const)("%p tokens with %s, a user to ask: %p, is %s", (tokens, coldResume, canAsk, expected) => {
  const settings = { maxColdTokens: 200_000, coldResume, canAsk };
  expect(decideColdResume({ tokens, percent: null }, settings)).toBe(expected);
});

describe("the forecast", () => {
  const sample = (ago: number, percent: number, resetsAt: number | null = now + 2 * hour): UsageSample => ({
    time: now - ago,
    usage: { five_hour: { percent, resetsAt } },
  });
  const five = (samples: UsageSample[]) => forecastUsage(samples, now)[0];

  test("says when the window is full at the rate of the last hour", () => {
    const found = five([sample(3 * hour, 1), sample(hour, 40), sample(30 * minute, 50), sample(0, 70)]);
    expect(found).toMatchObject({ percent: 70, perHour: 30, fullAt: now + hour });
  });

  test("says nothing when the reset comes first, the rate is not known, or usage does not grow", () => {
    expect(five([sample(hour, 10), sample(0, 20)])).toMatchObject({ perHour: 10, fullAt: null });
    expect(five([sample(minute, 10), sample(0, 20)])).toMatchObject({ perHour: null, fullAt: null });
    expect(five([sample(hour, 20), sample(0, 20)])).toMatchObject({ perHour: 0, fullAt: null });
    expect(forecastUsage([], now)).toEqual([]);
  });

  test("does not mix two windows, and a window that has reset is empty", () => {
    expect(five([sample(hour, 90, now - 30 * minute), sample(0, 5)])).toMatchObject({ percent: 5, perHour: null });
    expect(five([sample(hour, 90, now - minute)])).toMatchObject({ percent: 0, resetsAt: null });
  });

  test("samples are at least a minute apart, the newest is always kept, and old ones go", () => {
    let samples: UsageSample[] = [];
    for (let n = 0; n < 100; n++) samples = addSample(samples, sample(-n * 1_000, n));
    expect(samples.length).toBeWithin(2, 5);
    expect(samples.at(-1)?.usage.five_hour?.percent).toBe(99);
    for (let n = 0; n < 1_000; n++) samples = addSample(samples, sample(-n * hour, n % 100));
    expect(samples.length).toBe(500);
    expect(addSample(samples, sample(hour * 1_000, 1))).toHaveLength(1);
  });

  test("the chart has one value per interval, nothing before the first sample, and zero after a reset", () => {
    const samples = [sample(2.5 * hour, 50, now - 90 * minute), sample(0, 10)];
    const chart = sampleWindow(samples, "five_hour", { now, spanMs: 4 * hour, count: 4 });
    expect(chart).toEqual([null, 50, 0, 10]);
  });
});

test("costs add up per day and per project", () => {
  const costs = [
    { project: "/a", time: 1, usd: 1 },
    { project: "/b", time: 2, usd: 5 },
    { project: "/a", time: 11, usd: 2 },
    { project: "/c", time: 11, usd: 0 },
  ];
  expect(totalCosts(costs, (time) => `day ${Math.floor(time / 10)}`)).toEqual({
    days: [
      { day: "day 1", usd: 2 },
      { day: "day 0", usd: 6 },
    ],
    projects: [
      { project: "/b", usd: 5 },
      { project: "/a", usd: 3 },
    ],
  });
});

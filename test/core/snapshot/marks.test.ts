import { describe, expect, test } from "bun:test";
import { chooseMark, parseChoice } from "../../../src/core/snapshot/choose-mark.ts";
import { contextWindow } from "../../../src/core/snapshot/context-window.ts";
import type { Mark } from "../../../src/core/snapshot/mark.ts";
import { newestThatFits, thinMarks } from "../../../src/core/snapshot/thin-marks.ts";

function mark(n: number, more: Partial<Mark> = {}): Mark {
  const facts = { reason: "Stop", lines: n, contextTokens: null, lastStep: null, hash: "0" };
  return { n, time: n * 1_000, size: n * 1_000, ...facts, ...more };
}

const marks = (count: number, tokens: (n: number) => number | null = () => null): Mark[] =>
  Array.from({ length: count }, (_, index) => mark(index + 1, { contextTokens: tokens(index + 1) }));

describe("thinMarks", () => {
  test("keeps up to 300 marks", () => {
    expect(thinMarks(marks(300))).toEqual(marks(300));
  });

  test("keeps the first, the newest 100 and an even spread of the rest", () => {
    const kept = thinMarks(marks(1_000));
    expect(kept).toHaveLength(300);
    expect(kept[0]?.n).toBe(1);
    expect(kept.slice(-100).map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, index) => 901 + index));
    const gaps = kept.slice(1, 200).map(({ size }, index) => size - (kept[index]?.size ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(10_000);
  });

  test("keeps the gaps small when marks come one at a time", () => {
    let kept: Mark[] = [];
    for (const next of marks(2_000)) kept = thinMarks([...kept, next]);
    expect(kept).toHaveLength(300);
    const gaps = kept.slice(1, 200).map(({ size }, index) => size - (kept[index]?.size ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(20_000);
  });

  test("never drops the only mark that fits half of the context", () => {
    // Its close neighbors would make it the first to go.
    let kept: Mark[] = [];
    for (const next of marks(1_500, (n) => (n === 7 ? 50_000 : 150_000))) kept = thinMarks([...kept, next]);
    expect(kept.some(({ n }) => n === 7)).toBe(true);
  });
});

describe("newestThatFits", () => {
  test.each([
    [[10_000, 99_000, 100_000, 100_001], 3],
    [[null, 5, null], 2],
    [[150_000, 160_000], undefined],
    [[450_000, 600_000], 1],
    [[], undefined],
  ])("of %p is mark %p", (tokens, n) => {
    expect(newestThatFits(tokens.map((contextTokens, index) => mark(index + 1, { contextTokens })))?.n).toBe(n);
  });

  test("uses the large window after more than 200,000 tokens", () => {
    expect(contextWindow([null, 199_999])).toBe(200_000);
    expect(contextWindow([null, 200_001])).toBe(1_000_000);
  });
});

describe("parseChoice and chooseMark", () => {
  const now = new Date(2026, 10, 16, 14, 5, 30).getTime();
  const at = (hours: number, minutes: number, day = 16): number =>
    new Date(2026, 10, day, hours, minutes, 59, 999).getTime();

  test.each([
    ["3", { kind: "number", n: 3 }],
    ["fit", { kind: "fit" }],
    ["t12", { kind: "turn", turn: 12 }],
    ["turn 3", { kind: "turn", turn: 3 }],
    ["90s", { kind: "before", time: now - 90_000 }],
    ["10m", { kind: "before", time: now - 600_000 }],
    ["2h", { kind: "before", time: now - 7_200_000 }],
    ["1d", { kind: "before", time: now - 86_400_000 }],
    ["14:05", { kind: "before", time: at(14, 5) }],
    ["9:30", { kind: "before", time: at(9, 30) }],
    ["14:06", { kind: "before", time: at(14, 6, 15) }],
    ["23:59", { kind: "before", time: at(23, 59, 15) }],
  ] as const)("parse %s", (text, choice) => expect(parseChoice(text, now)).toEqual(choice));

  test.each(["", "-1", "3.5", "24:00", "12:60", "10x", "latest", "t", "t-1", "turns 2", "9999999999"])(
    "refuse %p",
    (text) => {
      expect(parseChoice(text, now)).toBeUndefined();
    },
  );

  const all = [mark(1), mark(2, { contextTokens: 10 }), mark(3), mark(4, { contextTokens: 10 }), mark(5)];
  const current = all.slice(2);
  test.each([
    [{ kind: "newest" }, 5],
    [{ kind: "number", n: 2 }, 2],
    [{ kind: "number", n: 9 }, undefined],
    [{ kind: "before", time: 2_500 }, 2],
    [{ kind: "before", time: 500 }, undefined],
  ] as const)("choose for %p mark %p", (choice, n) => expect(chooseMark(choice, { all, current })?.n).toBe(n));

  test("choose from the earlier generation when the current one has no marks", () => {
    expect(chooseMark({ kind: "newest" }, { all, current: [] })?.n).toBe(5);
  });
});

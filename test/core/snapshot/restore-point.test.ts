import { describe, expect, test } from "bun:test";
import {
  chooseRestorePoint,
  findTurnEnd,
  findWindow,
  type SafePoint,
  type WindowFacts,
} from "../../../src/core/snapshot/restore-point.ts";

const point = (size: number, tokens: number | null, kind: SafePoint["kind"] = "step"): SafePoint => ({
  size,
  tokens,
  kind,
  lines: size,
  time: size,
  turn: Math.ceil(size / 200),
});
const points = [point(100, 10_000), point(200, 40_000), point(300, 90_000), point(400, 190_000)];
const need = { window: 200_000, below: Infinity, previous: undefined };

describe("chooseRestorePoint", () => {
  test.each([
    ["the newest point that leaves half of the window free", points, {}, 300],
    ["a smaller point for a smaller window", points, { window: 100_000 }, 200],
    ["the newest that fits, when none leaves half free", points, { window: 15_000 }, 100],
    ["no point when none fits", points, { window: 10_000 }, undefined],
    ["no point of an empty conversation", [], {}, undefined],
    ["a point below the end of the conversation", points, { below: 300 }, 200],
    ["at most half of the previous point, which did not fit", points, { previous: points[2] }, 200],
    ["a point much smaller than the previous one", [point(1, 30_000), point(2, 80_000)], { previous: points[2] }, 1],
    ["a little smaller point than the previous one, when there is no other", points, { previous: points[1] }, 100],
    ["no point when the previous one was the first", points, { previous: points[0] }, undefined],
    ["an unanswered prompt only when nothing else fits", [point(1, 2_000, "prompt"), point(2, 180_000)], {}, 2],
    ["an unanswered prompt when nothing else fits", [point(1, 2_000, "prompt"), point(2, 199_000)], {}, 1],
    ["half of the bytes when no tokens are known", [point(1, null), point(2, null), point(4, null)], {}, 2],
    ["a point with known tokens before one without", [point(1, 5), point(2, null)], {}, 1],
  ] as const)("chooses %s", (_, all, more, size) => {
    expect(chooseRestorePoint(all, { ...need, ...more })?.size).toBe(size);
  });
});

describe("findWindow", () => {
  const unknown: WindowFacts = { refused: undefined, recorded: undefined, named: undefined, accepted: null };
  test.each([
    ["the maximum in the refusal", { refused: { maximum: 150_000 }, recorded: 500_000, accepted: 40_000 }, 150_000],
    ["the window that the status line named", { recorded: 500_000, named: 1_000_000, accepted: 40_000 }, 500_000],
    ["the window in the model's name", { named: 1_000_000, accepted: 40_000 }, 1_000_000],
    [
      "what was accepted, after a refusal without a maximum",
      { refused: { maximum: undefined }, accepted: 90_000 },
      100_000,
    ],
    [
      "the large window, when more than the recorded one was accepted",
      { recorded: 200_000, accepted: 300_000 },
      1_000_000,
    ],
    ["the standard window, when nothing is known", {}, 200_000],
  ] as const)("uses %s", (_, facts, window) => expect(findWindow({ ...unknown, ...facts })).toBe(window));
});

test("findTurnEnd finds the end of a turn, and the last complete step of an interrupted one", () => {
  expect(findTurnEnd(points, 1)?.size).toBe(200);
  expect(findTurnEnd([point(100, 1, "prompt")], 1)?.size).toBe(100);
  expect(findTurnEnd([point(110, 1), point(120, 1, "prompt")], 1)?.size).toBe(110);
  expect(findTurnEnd(points, 9)).toBeUndefined();
});

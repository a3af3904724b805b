import { expect, test } from "bun:test";
import type { SessionTimeline } from "../../src/core/dashboard/contract.ts";
import { parseRoute } from "../../src/web/live/parse-route.ts";
import { choicesOf } from "../../src/web/parts/choices.ts";
import { timeScale } from "../../src/web/parts/timeline-scale.ts";

const minute = 60_000;

test("a night without work takes no more room than a short pause", () => {
  const place = timeScale([0, 15 * minute, 15 * minute + 10 * 60 * minute, 30 * minute + 10 * 60 * minute]);
  expect([0, 15, 15 + 600, 30 + 600].map((minutes) => place(minutes * minute).toFixed(3))).toEqual([
    "0.000",
    "0.333",
    "0.667",
    "1.000",
  ]);
  expect([place(-1), place(Number.MAX_SAFE_INTEGER), timeScale([5])(5)]).toEqual([0, 1, 0.5]);
});

test("the end of each turn, each mark and each change of files can be picked, in the order of time", () => {
  const timeline = {
    points: [
      { time: 1, tokens: 10, turn: 0 },
      { time: 2, tokens: 20, turn: 1 },
      { time: 3, tokens: 30_000, turn: 1 },
      { time: 6, tokens: 60, turn: 2 },
    ],
    marks: [{ n: 1, time: 4, reason: "Stop", size: 9, tokens: 30, lastStep: "Bash ls", generation: 1 }],
    fileMarks: [
      { n: 1, time: 5, reason: "Stop", files: 2, added: 3, removed: 1 },
      { n: 2, time: 5, reason: "Stop", files: 0, added: 0, removed: 0 },
    ],
  } as unknown as SessionTimeline;
  expect(choicesOf(timeline).map(({ to, label }) => [to, label])).toEqual([
    ["t1", "end of turn 1, 30k tokens"],
    ["1", "mark 1, Stop: Bash ls"],
    ["f1", "f1, Stop: 2 files +3 −1"],
    ["t2", "end of turn 2, 60 tokens"],
  ]);
});

test("a broken address is the first view, not an error", () => {
  expect(parseRoute("#/session/%E0%A4%A?around=x")).toMatchObject({ view: "session", id: "" });
  expect(parseRoute("")).toMatchObject({ view: "", id: "" });
});

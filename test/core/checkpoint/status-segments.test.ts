import { expect, test } from "bun:test";
import { fitSegments, statusSegments } from "../../../src/core/checkpoint/status-segments.ts";

const texts = {
  "needs-you": "2 need you",
  limit: "limit → 02:54",
  context: "ctx 43%",
  "five-hour": "5h 97% → 02:54",
  "seven-day": "7d 40% → Thu 12:00",
  saved: "saved 2m 5s ago",
};

test.each([
  [Infinity, "2 need you · limit → 02:54 · ctx 43% · 5h 97% → 02:54 · 7d 40% → Thu 12:00 · saved 2m 5s ago"],
  [80, "2 need you · limit → 02:54 · ctx 43% · 5h 97% → 02:54 · 7d 40% → Thu 12:00"],
  [60, "2 need you · limit → 02:54 · ctx 43% · 5h 97% → 02:54"],
  [40, "2 need you · limit → 02:54 · ctx 43%"],
  [12, "2 need you"],
  [6, "2 nee…"],
  [1, "…"],
])("in %p columns the most important segments stay", (width, expected) => {
  const line = fitSegments(texts, statusSegments, width);
  expect(line).toBe(expected);
  expect(line.length).toBeLessThanOrEqual(width);
});

test("shows the user's choice in the user's order, and no empty segment", () => {
  expect(fitSegments(texts, ["five-hour", "context"], Infinity)).toBe("5h 97% → 02:54 · ctx 43%");
  expect(fitSegments({ ...texts, context: "" }, ["context", "saved"], Infinity)).toBe("saved 2m 5s ago");
  expect(fitSegments(texts, [], Infinity)).toBe("");
  // The order is the user's, but what is left out first is not.
  expect(fitSegments(texts, ["saved", "needs-you"], 12)).toBe("2 need you");
});

import { expect, test } from "bun:test";
import { readShownRetry } from "../../../src/claude/screen/own-retry.ts";

const now = Date.parse("2026-11-18T01:37:20Z");
const clock = { now, zone: "UTC", latestReset: now + 8 * 86_400_000, latestSpendReset: now + 32 * 86_400_000 };
const read = (...rows: string[]) => readShownRetry({ all: rows, firm: [] }, clock);
const at = (time: string) => Date.parse(time);

test.each([
  ["✻ 5-hour limit reached · retrying in 11s (1:37am) · attempt 1/1", "limit", now + 11_000],
  ["✻ Session limit reached · Retrying in 12s (1:37am) · attempt 1/1", "limit", now + 12_000],
  ["· 5-hour limit reached · retrying in 4h 12m (5:50am) · attempt 1/10", "limit", now + 15_120_000],
  // The client sleeps for at most six hours at a time.
  ["✻ Weekly limit reached · Retrying in 6h (Nov 21, 12:58pm) · attempt 1/1", "limit", at("2026-11-21T12:58:00Z")],
  ["✽ 529 Overloaded · retrying in 5s · attempt 4/1", "server", now + 5_000],
  ["✻ 529 Overloaded · Retrying in 1s · attempt 2/1", "server", now + 1_000],
] as const)("reads %s", (row, why, until) => {
  expect(read("● Bash(echo one)", row, "❯ ")).toEqual({ why, until });
});

test.each([
  ["a usual retry", "✻ 529 Overloaded · retrying in 1s · attempt 1/10"],
  ["Claude's words", "● 5-hour limit reached · retrying in 11s (1:37am) · attempt 1/1"],
  ["the user's words", "❯ 5-hour limit reached · retrying in 11s (1:37am) · attempt 1/1"],
  ["a wait of another kind", "  Usage limit reached · continuing automatically at 2:54am · esc to cancel"],
])("is not %s", (_, row) => {
  expect(read(row)).toBeUndefined();
});

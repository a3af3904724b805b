import { expect, test } from "bun:test";
import { readActivity } from "../../../src/claude/screen/activity-screen.ts";

const now = 1_794_900_000_000;
const clock = { now, zone: "UTC", latestReset: now + 8 * 86_400_000, latestSpendReset: now + 32 * 86_400_000 };
const edge = "────────";
const read = (...rows: string[]): ReturnType<typeof readActivity> => readActivity({ all: rows, firm: rows }, clock);
const nothing = { isWorking: false, question: undefined, retryAt: undefined };

test.each<[what: string, rows: string[], seen: Partial<typeof nothing> | object]>([
  ["an empty prompt", ["● Done.", edge, "❯ ", edge, "  ? for shortcuts"], {}],
  ["work", ["✻ Brewing… (3s)", edge, "❯ ", edge, "  esc to interrupt · ← for agents"], { isWorking: true }],
  ["a permission", [" Do you want to proceed?", " ❯ 1. Yes", "   2. No", " Esc to cancel"], { question: "permission" }],
  [
    "a question",
    ["Which color?", "❯ 1. Red", "  2. Blue", "Enter to select · Esc to cancel"],
    { question: "question" },
  ],
  [
    "the first question in a directory",
    [
      " Quick safety check: Is this a project you created or one you trust?",
      " ❯ No, exit",
      " Enter to confirm · Esc to cancel",
    ],
    { question: "permission" },
  ],
  ["an answer that talks about a permission", ["  Do you want to proceed with this plan?", edge, "❯ ", edge], {}],
  ["a countdown of 2.1.197", ["✻ Session limit reached · Retrying in 11s · attempt 1/1"], { retryAt: now + 11_000 }],
  ["a countdown of hours", ["✻ 5-hour limit reached · retrying in 4h 12m"], { retryAt: now + 15_120_000 }],
])("the screen shows %s", (_, rows, seen) => {
  expect(read(...rows)).toEqual({ ...nothing, ...seen });
});

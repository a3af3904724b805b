// A host at a limit of a scripted Claude, with a clock that the test moves.
import { describe, expect, test } from "bun:test";
import {
  claudeAtLimit,
  pass,
  ScriptedClaude,
  second,
  start,
  withMovedClock,
} from "../../support/terminal/limited-claude.ts";

const day = 86_400 * second;

withMovedClock();

test.each<[what: string, resetsAt: number | null, variables: object, seconds: number]>([
  ["a known reset", start + 60 * second, {}, 60],
  ["an unknown reset", null, {}, 3_600],
  ["an unknown reset with a set wait", null, { AI_RUNTIME_WAIT_SECONDS: "5" }, 5],
  ["an unknown reset with a wait out of range", null, { AI_RUNTIME_WAIT_SECONDS: "9e15" }, 3_600],
  ["a reset more than 8 days ahead", start + 9 * day, {}, 3_600],
])("a host waits for %s", (_, resetsAt, variables, seconds) => {
  using claude = new ScriptedClaude(variables);
  claude.hitsLimit(resetsAt);
  claude.paints();
  pass(2);
  // An unknown reset counts from the time at which the host reads the limit.
  const readAfter = resetsAt === start + 60 * second ? 0 : 1.5;
  expect(claude.statuses).toEqual([seconds + readAfter]);
});

test("a host whose typed continuation met the limit again waits 15 seconds before it types again", () => {
  using claude = claudeAtLimit();
  claude.answers = () => claude.hitsLimit();
  pass(12);
  expect(claude.keys).toEqual(["text", "\r"]);
  const [, again] = claude.statuses;
  expect(Number(again) - (Date.now() - start) / second).toBeWithin(5, 15);
  claude.answers = () => {};
  pass(15);
  expect(claude.keys).toEqual(["text", "\r", "text", "\r"]);
});

describe("a host whose user canceled Claude's own wait types nothing", () => {
  const armed = "Usage limit reached · continuing automatically at 2:54am · esc to cancel";
  const canceled = "Automatic continue cancelled · /rate-limit-options to re-arm";

  test("when the transcript says so, until the next prompt", () => {
    using claude = claudeAtLimit();
    claude.notes(armed);
    claude.notes(canceled);
    pass(3_600);
    expect(claude.keys).toEqual([]);
    expect(claude.statuses).toEqual(["canceled"]);
    claude.answers = () => claude.hitsLimit();
    claude.userPrompts("Try again");
    pass(3_600);
    expect(claude.keys.slice(0, 2)).toEqual(["text", "\r"]);
  });

  test("when the user pressed Escape and the wait disappeared from the screen", () => {
    using claude = new ScriptedClaude({ AI_RUNTIME_CONTINUE_AFTER_SECONDS: "60" });
    claude.hitsLimit();
    claude.above = [armed];
    claude.paints();
    pass(10);
    claude.presses("\x1b");
    claude.above = [];
    claude.paints();
    pass(3_600);
    expect(claude.keys).toEqual([]);
    expect(claude.statuses).toEqual([0, "canceled"]);
  });

  test.each([
    ["the wait was started again", [armed, canceled, armed]],
    [
      "only Claude's process ended",
      [armed, "Automatic continue cancelled · Claude Code exited during the wait, so the task will not resume"],
    ],
  ])("but it types when %s", (_, notes) => {
    using claude = claudeAtLimit();
    for (const note of notes) claude.notes(note);
    pass(60);
    expect(claude.keys).toEqual(["text", "\r"]);
  });
});

test("a host shows the wait of a claude that retries by itself, types nothing, and shows when it works again", () => {
  using claude = new ScriptedClaude();
  claude.above = ["✻ 5-hour limit reached · retrying in 30s (1:37am) · attempt 1/1"];
  for (let left = 30; left > 0; left--) {
    claude.above = [`✻ 5-hour limit reached · retrying in ${left}s · attempt 1/1`];
    claude.paints();
    pass(1);
  }
  claude.above = ["✻ 529 Overloaded · retrying in 5s · attempt 2/1"];
  claude.paints();
  pass(3);
  claude.above = [];
  claude.paints();
  pass(3);
  expect(claude.statuses.map((status) => (typeof status === "number" ? "limit" : status))).toEqual([
    "limit",
    "retrying",
    "working",
  ]);
  expect(claude.keys).toEqual([]);
});

test("a host without a limit looks at its Claude twice a minute", () => {
  using claude = new ScriptedClaude();
  claude.paints();
  pass(60);
  const before = claude.looks;
  pass(3_600);
  // Each look reads the screen twice.
  expect(claude.looks - before).toBeWithin(230, 250);
});

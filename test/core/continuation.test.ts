import { describe, expect, test } from "bun:test";
import {
  type Continuation,
  type ContinuationSettings,
  decideContinuation,
  type Situation,
} from "../../src/core/continuation.ts";
import { isQuiet, parseQuietHours, quietUntil } from "../../src/core/quiet-hours.ts";

const reset = 1_000_000_000;
const on: ContinuationSettings = { isOn: true, quietHours: undefined, after: undefined };
const night: ContinuationSettings = { ...on, quietHours: { from: 22 * 60, to: 7 * 60 } };
const old: Situation = {
  now: reset + 20_000,
  minuteOfDay: 12 * 60,
  resetsAt: reset,
  continuesItself: false,
  screen: "empty",
  halfTyped: false,
  stillFor: 10_000,
  isDone: false,
};
const recent: Situation = { ...old, continuesItself: true };
const late = reset + 180_000;
const type: Continuation = { kind: "type", escapeFirst: false };
const leave: Continuation = { kind: "leave" };

describe("whether to type", () => {
  test.each<[string, ContinuationSettings, Situation, Continuation]>([
    ["an idle prompt after the reset", on, old, type],
    ["not before the reset", on, { ...old, now: reset - 1 }, { kind: "wait", until: reset + 15_000 }],
    ["one that goes on by itself gets three minutes", on, recent, { kind: "wait", until: late }],
    ["and then it did not", on, { ...recent, now: late }, type],
    [
      "an unknown version might go on by itself",
      on,
      { ...old, continuesItself: undefined },
      { kind: "wait", until: late },
    ],
    ["after a time of the user's own", { ...on, after: 5_000 }, { ...recent, now: reset + 5_000 }, type],
    ["a menu swallows text: Escape first", on, { ...old, screen: "menu" }, { kind: "type", escapeFirst: true }],
    [
      "its own wait is left by Escape",
      on,
      { ...recent, now: late, screen: "waiting" },
      { kind: "type", escapeFirst: true },
    ],
    ["never over keys", on, { ...old, halfTyped: true }, leave],
    ["never over words on the screen", on, { ...old, screen: "typed" }, leave],
    ["never on a screen that is not understood", on, { ...old, screen: "unknown" }, leave],
    ["never twice", on, { ...old, isDone: true }, leave],
    ["not while something moves", on, { ...old, stillFor: 1_000 }, { kind: "wait", until: old.now + 2_000 }],
    ["switched off", { ...on, isOn: false }, old, leave],
    ["not at night", night, { ...old, minuteOfDay: 23 * 60 }, { kind: "wait", until: old.now + 8 * 3_600_000 }],
    ["nor in the small hours", night, { ...old, minuteOfDay: 6 * 60 + 59 }, { kind: "wait", until: old.now + 60_000 }],
    ["but in the morning", night, { ...old, minuteOfDay: 7 * 60 }, type],
  ])("%s", (_, settings, situation, expected) => {
    expect(decideContinuation(settings, situation)).toEqual(expected);
  });
});

describe("quiet hours", () => {
  test.each([
    ["22:00-07:00", { from: 1_320, to: 420 }],
    [" 9:30 – 17:00 ", { from: 570, to: 1_020 }],
    ["00:00-24:00", undefined],
    ["25:00-07:00", undefined],
    ["9-17", undefined],
  ])("%j", (text, hours) => {
    expect(parseQuietHours(text)).toEqual(hours);
  });
  test("of one day", () => {
    const hours = { from: 60, to: 120 };
    expect([59, 60, 119, 120].map((minute) => isQuiet(hours, minute))).toEqual([false, true, true, false]);
    expect(quietUntil(hours, 90)).toBe(30 * 60_000);
  });
});

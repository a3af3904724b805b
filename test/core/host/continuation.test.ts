import { describe, expect, test } from "bun:test";
import {
  type Continuation,
  type ContinuationSettings,
  decideContinuation,
  type HoldCause,
  type Key,
  nothingTyped,
  type PromptState,
  recordKey,
  type Situation,
  type Typing,
} from "../../../src/core/host/continuation.ts";
import { isQuiet, parseQuietHours, quietUntil } from "../../../src/core/host/quiet-hours.ts";

const reset = 1_000_000_000;
const on: ContinuationSettings = { typeContinuation: true, quietHours: undefined, continueAfterSeconds: undefined };
const night: ContinuationSettings = { ...on, quietHours: { from: 22 * 60, to: 7 * 60 } };
const old: Situation = {
  now: reset + 20_000,
  minuteOfDay: 12 * 60,
  resetsAt: reset,
  mayContinueForMs: 0,
  isCanceled: false,
  screen: "empty",
  halfTyped: false,
  idleMs: 10_000,
  typing: nothingTyped,
};
const recent: Situation = { ...old, mayContinueForMs: 180_000 };
const late = reset + 180_000;
const text: Continuation = { kind: "text" };
const hold = (cause: HoldCause, until: number | null = null): Continuation => ({ kind: "hold", cause, until });
const waitFor = (milliseconds: number): Continuation => ({ kind: "wait", until: old.now + milliseconds });

const tenTimes = (key: Key): Key[] => Array.from({ length: 10 }, () => key);

/** The host has written these keys, the last one this long ago; the screen shows this. */
function after(keys: readonly Key[], sinceMs: number, screen: PromptState, more: Partial<Situation> = {}): Situation {
  const typing = { ...keys.reduce<Typing>(recordKey, nothingTyped), sinceMs };
  return { ...old, screen, typing, ...more };
}

describe("a host after a usage limit", () => {
  test.each<[string, ContinuationSettings, Situation, Continuation]>([
    ["types at an idle prompt after the reset", on, old, text],
    ["waits before the reset", on, { ...old, now: reset - 1 }, { kind: "wait", until: reset + 1_000 }],
    ["gives a claude that continues on its own three minutes", on, recent, { kind: "wait", until: late }],
    ["types when that claude did not continue within three minutes", on, { ...recent, now: late }, text],
    ["types after the configured delay", { ...on, continueAfterSeconds: 5 }, { ...recent, now: reset + 5_000 }, text],
    ["types nothing when the user canceled the wait", on, { ...old, isCanceled: true }, hold("canceled")],
    [
      "says before the reset that the user canceled the wait",
      on,
      { ...old, now: reset - 1, isCanceled: true },
      hold("canceled"),
    ],
    ["closes a menu with Escape", on, { ...old, screen: "menu" }, { kind: "escape" }],
    ["does not type over text in the prompt", on, { ...old, screen: "typed" }, hold("typing")],
    ["does not send its own words when the user typed them", on, { ...old, screen: "ours" }, hold("typing")],
    [
      "does not type within a minute after keys of the user",
      on,
      { ...old, halfTyped: true },
      hold("typing", old.now + 50_000),
    ],
    ["types at an empty prompt a minute after keys of the user", on, { ...old, halfTyped: true, idleMs: 60_000 }, text],
    ["looks at an unknown screen again", on, { ...old, screen: "unknown" }, hold("no-prompt", old.now + 30_000)],
    ["waits while the screen changes", on, { ...old, idleMs: 1_000 }, waitFor(2_000)],
    ["does not type when the setting is off", { ...on, typeContinuation: false }, old, { kind: "leave" }],
    [
      "waits for the end of the quiet hours",
      night,
      { ...old, minuteOfDay: 23 * 60 },
      { kind: "wait", until: old.now + 8 * 3_600_000 },
    ],
    [
      "waits in the last minute of the quiet hours",
      night,
      { ...old, minuteOfDay: 6 * 60 + 59 },
      { kind: "wait", until: old.now + 60_000 },
    ],
    ["types when the quiet hours end", night, { ...old, minuteOfDay: 7 * 60 }, text],
  ])("%s", (_, settings, situation, expected) => {
    expect(decideContinuation(settings, situation)).toEqual(expected);
  });
});

describe("a host that has begun to type", () => {
  test.each<[string, Situation, Continuation]>([
    ["lets a closed menu disappear", after(["escape"], 200, "empty"), waitFor(800)],
    ["types when the menu is closed", after(["escape"], 1_000, "empty"), text],
    ["waits for a menu that is still there", after(["escape"], 1_000, "menu"), waitFor(4_000)],
    ["closes the menu again", after(["escape"], 5_000, "menu"), { kind: "escape" }],
    ["gives up on a menu", after(["escape", "escape", "escape"], 5_000, "menu"), hold("gave-up")],
    ["lets a paste end", after(["text"], 100, "ours"), waitFor(200)],
    ["sends the text that the screen shows", after(["text"], 300, "ours", { idleMs: 0 }), { kind: "send" }],
    ["waits for the text to appear", after(["text"], 300, "empty"), waitFor(9_700)],
    ["enters a lost text again", after(["text"], 10_000, "empty"), text],
    ["gives up on a lost text", after(["text", "text", "text"], 10_000, "empty"), hold("gave-up")],
    ["removes its own text that did not arrive whole", after(["text"], 10_000, "typed"), { kind: "clear" }],
    ["enters the removed text again", after(["text", "clear"], 500, "empty"), text],
    ["removes its next row", after(["text", "clear"], 500, "typed"), { kind: "clear" }],
    ["leaves text that it cannot remove", after(["text", ...tenTimes("clear")], 500, "typed"), hold("typing")],
    [
      "leaves its text when the user has changed it",
      after(["text"], 10_000, "typed", {
        typing: { ...recordKey(nothingTyped, "text"), sinceMs: 10_000, isDisturbed: true },
      }),
      hold("typing"),
    ],
    ["gives Enter three seconds", after(["text", "send"], 1_000, "ours"), waitFor(2_000)],
    ["presses a lost Enter again", after(["text", "send"], 3_000, "ours"), { kind: "send" }],
    ["gives up on a lost Enter", after(["text", "send", "send", "send"], 3_000, "ours"), hold("gave-up")],
    ["gives a sent prompt time to reach the transcript", after(["text", "send"], 3_000, "empty"), waitFor(17_000)],
    ["enters a prompt again that did not reach the transcript", after(["text", "send"], 20_000, "empty"), text],
    ["does not do so while claude works", after(["text", "send"], 20_000, "empty", { idleMs: 100 }), waitFor(2_900)],
    ["stops when the user cancels", after(["text"], 300, "ours", { isCanceled: true }), hold("canceled")],
  ])("%s", (_, situation, expected) => {
    expect(decideContinuation(on, situation)).toEqual(expected);
  });
});

describe("quiet hours", () => {
  test.each([
    ["22:00-07:00", { from: 1_320, to: 420 }],
    [" 9:30 – 17:00 ", { from: 570, to: 1_020 }],
    ["00:00-24:00", undefined],
    ["25:00-07:00", undefined],
    ["9-17", undefined],
  ])("parse %j", (text, hours) => {
    expect(parseQuietHours(text)).toEqual(hours);
  });
  test("within one day start and end on the minute", () => {
    const hours = { from: 60, to: 120 };
    expect([59, 60, 119, 120].map((minute) => isQuiet(hours, minute))).toEqual([false, true, true, false]);
    expect(quietUntil(hours, 90)).toBe(30 * 60_000);
  });
});

import { expect, test } from "bun:test";
import { type Ending, nothingEnded, recordEndStep } from "../../../src/core/host/hang-up.ts";
import { describePoint, keysLine, overflowLine } from "../../../src/core/host/host-line.ts";
import { decideOverflow, type OverflowDecision, type OverflowSituation } from "../../../src/core/host/overflow.ts";

const now = 1_794_900_000_000;
const second = 1_000;

const full: OverflowSituation = {
  now,
  state: { kind: "context-full" },
  quietMs: 10 * second,
  terminals: 1,
  hangup: null,
  hasPoint: true,
  wish: "none",
  screen: "empty",
  ending: nothingEnded,
};
const alone = { terminals: 0 } as const;
const asked = { wish: "asked" } as const;
const did = (agoMs: number, ...steps: Exclude<Ending["last"], "nothing">[]): Ending =>
  steps.reduce((before, step) => recordEndStep(before, step, now - agoMs), nothingEnded);

const none: OverflowDecision = { kind: "none" };
const restore = (step: Extract<OverflowDecision, { kind: "restore" }>["step"]): OverflowDecision => ({
  kind: "restore",
  step,
});

test.each<[what: string, situation: Partial<OverflowSituation>, decision: OverflowDecision]>([
  ["a user decides", {}, { kind: "offer" }],
  ["a user has dismissed it", { wish: "dismissed" }, none],
  ["no point fits", { hasPoint: false }, none],
  ["Claude works again", { state: { kind: "working" }, ...asked }, none],
  ["an idle Claude", { state: { kind: "idle", background: false }, ...alone }, none],
  ["the user asks: Claude gets the command to exit", asked, restore("text")],
  ["the user asks: without waiting for silence", { ...asked, quietMs: 0 }, restore("text")],
  ["the command is shown", { ...asked, screen: "ours", ending: did(second, "text") }, restore("send")],
  ["hooks delay the end", { ...asked, ending: did(second, "send") }, { kind: "wait", until: now + 14 * second }],
  ["the command had no effect", { ...asked, ending: did(16 * second, "send", "send", "send") }, restore("SIGTERM")],
  [
    "Claude ignores SIGTERM",
    { ...asked, ending: did(11 * second, "send", "send", "send", "SIGTERM") },
    { kind: "fail" },
  ],
  ["the supervisor has the request", { wish: "over" }, none],
  ["Claude did not end", { wish: "failed", ...alone }, none],
  ["no terminal: it happens by itself", alone, restore("text")],
  ["no terminal: also what was dismissed", { ...alone, wish: "dismissed" }, restore("text")],
  ["no terminal: not at once", { ...alone, quietMs: second }, { kind: "wait", until: now + 2 * second }],
  ["no terminal: before Claude finishes and exits", { ...alone, hangup: "finish" }, restore("text")],
  ["no terminal: also when Claude stays", { ...alone, hangup: "keep" }, restore("text")],
  ["no terminal: Claude ends with it", { ...alone, hangup: "end" }, none],
])("%s", (_, situation, decision) => {
  expect(decideOverflow({ ...full, ...situation })).toEqual(decision);
});

test("the line names the keys of each terminal, and as much of the point as is known", () => {
  const point = { time: new Date(2026, 10, 18, 14, 5).getTime(), turn: 12, tokens: 85_200 };
  expect(overflowLine(point)("Ctrl-\\ d")).toBe(
    "Context full · Ctrl-\\ r restores · Ctrl-\\ x dismisses · back to 14:05, turn 12, 85k tokens kept",
  );
  expect(overflowLine({ ...point, tokens: null })("Ctrl-]")).toBe(
    "Context full · /exit offers to restore · back to 14:05, turn 12",
  );
  expect(overflowLine(point)(null)).toStartWith("Context full · /exit offers");
  expect(describePoint({ time: null, turn: 0, tokens: null })).toBe("an earlier point");
  expect(keysLine("Ctrl-B q")).toStartWith("Ctrl-B q detaches · Ctrl-B r restores");
});

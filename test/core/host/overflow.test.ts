import { expect, test } from "bun:test";
import { type Ending, nothingEnded, recordEndStep } from "../../../src/core/host/hang-up.ts";
import {
  clearPromptLine,
  describePoint,
  type FittingPoint,
  keysLine,
  noPointLine,
  notFullLine,
  overflowLine,
  restoringLine,
  stillRunningLine,
} from "../../../src/core/host/host-line.ts";
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

const key = "Ctrl-\\ d";
const point: FittingPoint = {
  time: new Date(2026, 10, 18, 14, 5).getTime(),
  turn: 12,
  tokens: 85_200,
  after: { turns: 3, files: 2, commands: 5 },
  lastPrompt: "Finish it",
};

test.each<[columns: number, line: string]>([
  [
    118,
    "Context full · Ctrl-\\ r restores to 14:05, 85k tokens kept; after: 3 turns, 2 files, 5 commands · Ctrl-\\ x dismisses",
  ],
  [103, "Context full · Ctrl-\\ r: back to 14:05, 85k kept; after: 3 turns, 2 files, 5 commands · Ctrl-\\ x: no"],
  [98, "Context full · Ctrl-\\ r: back to 14:05, 85k kept; after: 3 turns, 2 files · Ctrl-\\ x: no"],
  [78, "Context full · Ctrl-\\ r: to 14:05, 85k kept; after: 3 turns · Ctrl-\\ x: no"],
  [60, "Full · Ctrl-\\ r: back to 14:05, 85k kept; after: 3 turns"],
  [48, "Full · Ctrl-\\ r: to 14:05, 85k; after: 3 turns"],
  [30, "Full · Ctrl-\\ r restores"],
  [10, "Full · Ctr"],
])("in %i columns, the line says as much of the point and the work after it as fits", (columns, line) => {
  expect(overflowLine(point)(key, columns)).toBe(line);
});

test("the line names the keys of each terminal, and what is known of the point", () => {
  const unknown = { ...point, time: null, turn: 0, tokens: null, after: { turns: 0, files: 0, commands: 0 } };
  expect(overflowLine(point)("Ctrl-]", 118)).toBe(
    "Context full · /exit offers to restore · back to 14:05, 85k tokens kept; after: 3 turns, 2 files, 5 commands",
  );
  expect(overflowLine(point)(null, 48)).toBe("Context full · /exit offers to restore");
  expect(overflowLine(unknown)("Ctrl-B q", 118)).toBe(
    "Context full · Ctrl-B r restores to an earlier point · Ctrl-B x dismisses",
  );
  expect(describePoint(point)).toBe("14:05, turn 12, 85k tokens kept; after it: 3 turns, 2 files, 5 commands");
  expect(describePoint({ ...unknown, after: { turns: 1, files: 0, commands: 1 } })).toBe(
    "an earlier point; after it: 1 turn, 1 command",
  );
});

test.each([118, 78, 48])("in %i columns, all lines fit", (columns) => {
  const lines = [keysLine, notFullLine, noPointLine, clearPromptLine, restoringLine, stillRunningLine];
  for (const line of lines) expect(line(key, columns).length).toBeWithin(20, columns + 1);
  expect(keysLine("Ctrl-B q", columns)).toContain("q detaches");
});

import { describe, expect, test } from "bun:test";
import { allPhases, allSignals, nameOf } from "../../scripts/run-diagram.ts";
import { type Action, type Context, type Life, transition } from "../../src/core/machine.ts";
import type { Phase } from "../../src/core/run-record.ts";
import type { AttemptEnd, Signal } from "../../src/core/signal.ts";

const now = 1_800_000_000_000;
const minute = 60_000;
const hour = 60 * minute;
const context: Context = {
  now,
  random: 0,
  begun: true,
  knownLimit: null,
  turn: 0,
  maxWait: null,
  maxAttempts: 10,
  firstDelay: 10_000,
  unknownLimit: hour,
};
const newLife = (phase: Phase): Life => ({ phase, until: null, cause: null, fruitless: 0, restores: 0 });
const ended = (end: AttemptEnd, progress = false): Signal => ({ kind: "ended", end, progress });
const limit = (resetsAt: number | null, progress = false): Signal => ended({ kind: "limit", resetsAt }, progress);
const crash = ended({ kind: "crash" });

/** An action in a few words; a wait by how long it is. */
function say(action: Action): string {
  switch (action.kind) {
    case "wait":
      return `wait ${(action.until - now) / 1_000} s`;
    case "prepare":
      return action.restore ? "restore" : "prepare";
    case "finish":
      return `exit ${action.exit}`;
    default:
      return action.kind;
  }
}
const step = (life: Life, signal: Signal, given: Partial<Context> = {}): { life: Life; actions: string } => {
  const next = transition(life, signal, { ...context, ...given });
  return { life: next.life, actions: next.actions.map(say).join(", ") };
};

const everyEnd = "finished limit crash server empty overload authentication billing budget turns refused error";
const everything = `begin launched reached ready went-on-elsewhere no-restore-point interrupted stop ${everyEnd}`;
const nothing = "";
const same = undefined;

/** Where it stands, what happens, where it stands then, what is done. Of a run that has begun, with nothing known and all to try. */
type Row = [phases: string, signals: string, next: Phase | undefined, actions: string];

const rows: Row[] = [
  ["done stopped", everything, same, nothing],

  ["failed paused", "begin", "recovering", "prepare"],
  ["failed paused", "stop", "stopped", "exit stopped"],
  ["failed paused", "launched reached ready went-on-elsewhere no-restore-point interrupted", same, nothing],
  ["failed paused", everyEnd, same, nothing],

  ["waiting-limit backing-off", "begin reached", "recovering", "prepare"],
  ["waiting-limit backing-off recovering", "interrupted", "paused", "exit stopped"],
  ["waiting-limit backing-off recovering", "stop", "stopped", "exit stopped"],
  ["waiting-limit backing-off", "launched ready went-on-elsewhere no-restore-point", same, nothing],
  ["waiting-limit backing-off", everyEnd, same, nothing],

  ["recovering", "begin", same, "prepare"],
  ["recovering", "ready", "starting", "launch"],
  ["recovering", "went-on-elsewhere", "paused", "exit locked"],
  ["recovering", "no-restore-point", "failed", "exit failed"],
  ["recovering", "launched reached", same, nothing],
  ["recovering", everyEnd, same, nothing],

  ["starting working", "begin", "recovering", "prepare"],
  ["starting working", "launched", "working", nothing],
  ["starting working", "reached ready went-on-elsewhere no-restore-point", same, nothing],
  ["starting working", "interrupted", "paused", "end-claude, exit stopped"],
  ["starting working", "stop", "stopped", "end-claude, exit stopped"],
  ["starting working", "finished", "done", "exit done"],
  ["starting working", "limit", "waiting-limit", "wait 3600 s"],
  ["starting working", "crash server empty", "backing-off", "wait 10 s"],
  ["starting working", "overload", "recovering", "restore"],
  ["starting working", "authentication billing", "failed", "exit authentication"],
  ["starting working", "budget turns refused error", "failed", "exit failed"],
];

const cells = rows.flatMap(([phases, signals, next, actions]) =>
  phases.split(" ").flatMap((phase) => signals.split(" ").map((signal) => ({ phase, signal, next, actions }))),
);

describe("every phase has one answer to every signal", () => {
  const signals = new Map(allSignals.map((signal) => [nameOf(signal), signal]));

  test("no pair is without a row, and none has two", () => {
    const all = allPhases.flatMap((phase) => [...signals.keys()].map((signal) => `${phase} ${signal}`));
    expect(cells.map(({ phase, signal }) => `${phase} ${signal}`).toSorted()).toEqual(all.toSorted());
  });

  test.each(cells)("$phase + $signal", ({ phase, signal, next, actions }) => {
    const known = signals.get(signal);
    const from = allPhases.find((each) => each === phase);
    if (!known || !from) throw new Error(`nobody knows ${phase} or ${signal}`);
    const result = step(newLife(from), known);
    expect(result.actions).toBe(actions);
    expect(result.life.phase).toBe(next ?? from);
  });
});

describe("begin", () => {
  test("starts a run that has not begun, and prepares one that has", () => {
    expect(step(newLife("starting"), { kind: "begin" }, { begun: false }).actions).toBe("launch");
    expect(step(newLife("starting"), { kind: "begin" }).actions).toBe("prepare");
  });

  test("by the user's wish counts anew; after a death of the supervisor it does not", () => {
    const tired = { cause: "crash", fruitless: 7, restores: 2 };
    for (const phase of ["failed", "paused"] as const) {
      expect(step({ ...newLife(phase), ...tired }, { kind: "begin" }).life).toMatchObject({
        fruitless: 0,
        restores: 0,
      });
    }
    for (const phase of ["working", "backing-off", "recovering"] as const) {
      expect(step({ ...newLife(phase), ...tired }, { kind: "begin" }).life).toMatchObject({
        fruitless: 7,
        restores: 2,
      });
    }
  });

  test("of a run that was at work forgets why it was interrupted the time before", () => {
    expect(step({ ...newLife("working"), cause: "limit" }, { kind: "begin" }).life.cause).toBe("interrupted");
    expect(step({ ...newLife("recovering"), cause: "limit" }, { kind: "begin" }).life.cause).toBe("limit");
  });

  test("goes on with a wait that is not over, unless that is longer than allowed", () => {
    const waiting = { ...newLife("waiting-limit"), cause: "limit", until: now + hour };
    expect(step(waiting, { kind: "begin" })).toEqual({ life: waiting, actions: "wait 3600 s" });
    expect(step(waiting, { kind: "begin" }, { maxWait: minute })).toMatchObject({
      life: { phase: "paused", until: now + hour },
      actions: "exit waiting",
    });
    expect(step({ ...waiting, until: now }, { kind: "begin" }).actions).toBe("prepare");
  });

  test("waits where another run has found the limit", () => {
    const known = { knownLimit: now + minute, turn: 5_000 };
    expect(step(newLife("starting"), { kind: "begin" }, { ...known, begun: false })).toMatchObject({
      life: { phase: "waiting-limit", cause: "limit", until: now + minute + 7_000 },
      actions: "wait 67 s",
    });
    expect(step(newLife("backing-off"), { kind: "reached" }, known).actions).toBe("wait 67 s");
    expect(step(newLife("starting"), { kind: "begin" }, { ...known, maxWait: 0 }).actions).toBe("exit waiting");
    expect(step(newLife("starting"), { kind: "begin" }, { knownLimit: now }).actions).toBe("prepare");
  });
});

describe("a limit", () => {
  const working = newLife("working");
  test.each<[what: string, signal: Signal, life: Partial<Life>, given: Partial<Context>, expected: string]>([
    ["that says when it ends: a little later", limit(now + minute), {}, {}, "wait 62 s"],
    ["in its turn", limit(now + minute), {}, { turn: 5_000 }, "wait 67 s"],
    ["that does not say", limit(null), {}, {}, "wait 3600 s"],
    ["that does not say, but another run knows", limit(null), {}, { knownLimit: now + minute }, "wait 62 s"],
    ["that does not say, and what another run knew is over", limit(null), {}, { knownLimit: now - 1 }, "wait 3600 s"],
    ["of which another run knows a longer one", limit(now + minute), {}, { knownLimit: now + hour }, "wait 3602 s"],
    ["that is over already", limit(now - minute), {}, {}, "wait 0 s"],
    ["that is over and still there", limit(now - minute), { cause: "limit" }, {}, "wait 15 s"],
    ["that is over and there once more", limit(now), { cause: "limit", fruitless: 1 }, {}, "wait 60 s"],
    ["that is over and there again and again", limit(now), { cause: "limit", fruitless: 4 }, {}, "wait 300 s"],
    ["again, with a reset ahead", limit(now + minute), { cause: "limit", fruitless: 4 }, {}, "wait 62 s"],
    ["as long as allowed", limit(now + minute), {}, { maxWait: 62_000 }, "wait 62 s"],
    ["longer than allowed", limit(now + minute), {}, { maxWait: 61_999 }, "exit waiting"],
    ["with no waiting at all", limit(now + minute), {}, { maxWait: 0 }, "exit waiting"],
    ["for the last time", limit(now + minute), { fruitless: 9 }, {}, "exit failed"],
    ["with answers in between", limit(now + minute, true), { fruitless: 9 }, {}, "wait 62 s"],
  ])("%s", (_, signal, life, given, expected) => {
    expect(step({ ...working, ...life }, signal, given).actions).toBe(expected);
  });

  test("that is too long to wait for leaves a run that can be resumed and knows when", () => {
    const { life } = step(working, limit(now + hour), { maxWait: 0 });
    expect(life).toMatchObject({ phase: "paused", cause: "limit", until: now + hour + 2_000 });
  });
});

describe("starts without an answer", () => {
  const failing = (fruitless: number): Life => ({ ...newLife("working"), fruitless });
  test.each<[fruitless: number, given: Partial<Context>, expected: string]>([
    [0, {}, "wait 10 s"],
    [1, {}, "wait 20 s"],
    [2, {}, "wait 40 s"],
    [8, {}, "wait 300 s"],
    [0, { random: 0.5 }, "wait 11 s"],
    [0, { firstDelay: 0 }, "wait 0 s"],
    [9, {}, "exit failed"],
    [0, { maxAttempts: 1 }, "exit failed"],
  ])("after %i of them, with %p: %s", (fruitless, given, expected) => {
    expect(step(failing(fruitless), crash, given).actions).toBe(expected);
  });

  test("are counted, and an answer counts anew", () => {
    expect(step(failing(3), crash).life).toMatchObject({ fruitless: 4, cause: "crash" });
    expect(step(failing(9), ended({ kind: "crash" }, true))).toMatchObject({
      life: { phase: "backing-off", fruitless: 0 },
      actions: "wait 10 s",
    });
  });
});

describe("an overload", () => {
  const overload = ended({ kind: "overload" });
  const restored = (restores: number, fruitless = 0): Life => ({ ...newLife("working"), restores, fruitless });
  test("goes back three times in a row, and then gives up", () => {
    expect(step(restored(2), overload)).toMatchObject({ life: { restores: 3, fruitless: 1 }, actions: "restore" });
    expect(step(restored(3), overload)).toMatchObject({ life: { phase: "failed" }, actions: "exit failed" });
  });
  test("that comes with answers is in the same row", () => {
    const answered = ended({ kind: "overload" }, true);
    expect(step(restored(2), answered)).toMatchObject({ life: { restores: 3 }, actions: "restore" });
    expect(step(restored(3), answered).actions).toBe("exit failed");
  });
  test("is one of the starts without an answer", () => {
    expect(step(restored(0, 9), overload)).toMatchObject({ life: { fruitless: 10 }, actions: "exit failed" });
  });
  test("after one that led on to answers is another one", () => {
    expect(step(restored(3), ended({ kind: "server" }, true)).life.restores).toBe(0);
    expect(step(restored(3), crash).life.restores).toBe(3);
  });
});

test("what has ended waits for nothing and says why", () => {
  const life = { ...newLife("working"), until: now, cause: "limit" };
  expect(step(life, ended({ kind: "finished" }, true)).life).toMatchObject({ phase: "done", until: null, cause: null });
  expect(step(life, ended({ kind: "billing" })).life).toMatchObject({ phase: "failed", until: null, cause: "billing" });
  expect(step(life, { kind: "stop" }).life).toMatchObject({ phase: "stopped", until: null, cause: "stopped" });
  const waiting: Life = { ...life, phase: "waiting-limit" };
  const paused = { phase: "paused", until: null } as const;
  expect(step(waiting, { kind: "interrupted" }).life).toMatchObject({ ...paused, cause: "interrupted" });
  const fromOutside = { kind: "interrupted", bySystem: true } as const;
  expect(step(waiting, fromOutside).life).toMatchObject({ ...paused, cause: "shutdown" });
});

import { describe, expect, test } from "bun:test";
import type { RunContext, RunState } from "../../../src/core/restart/machine.ts";
import type { AttemptEnd, Signal } from "../../../src/core/restart/signal.ts";
import { newState, now, step } from "../../support/runs/machine-step.ts";

const minute = 60_000;
const hour = 60 * minute;
const ended = (end: AttemptEnd, progress = false): Signal => ({ kind: "ended", end, progress });
const limit = (resetsAt: number | null, progress = false): Signal => ended({ kind: "limit", resetsAt }, progress);
const special = (of: "model" | "spend", resetsAt: number | null): Signal => ended({ kind: "limit", of, resetsAt });
const crash = ended({ kind: "crash" });
const server = ended({ kind: "server" });

describe("begin", () => {
  test("launches the first attempt, and prepares every later one", () => {
    expect(step(newState("starting"), { kind: "begin" }, { begun: false }).actions).toBe("launch");
    expect(step(newState("starting"), { kind: "begin" }).actions).toBe("prepare");
  });

  test("resets the counts when the user resumes, and keeps them after the supervisor died", () => {
    const counted = { cause: "crash", fruitless: 7, restores: 2 };
    for (const phase of ["failed", "paused"] as const) {
      expect(step({ ...newState(phase), ...counted }, { kind: "begin" }).state).toMatchObject({
        fruitless: 0,
        restores: 0,
      });
    }
    for (const phase of ["working", "backing-off", "recovering"] as const) {
      expect(step({ ...newState(phase), ...counted }, { kind: "begin" }).state).toMatchObject({
        fruitless: 7,
        restores: 2,
      });
    }
  });

  test("replaces the old cause of a run that was working", () => {
    expect(step({ ...newState("working"), cause: "limit" }, { kind: "begin" }).state.cause).toBe("interrupted");
    expect(step({ ...newState("recovering"), cause: "limit" }, { kind: "begin" }).state.cause).toBe("limit");
  });

  test("continues an unfinished wait, unless it exceeds the maximum", () => {
    const waiting = { ...newState("waiting-limit"), cause: "limit", until: now + hour };
    const again = { ...waiting, claudeWaits: false };
    expect(step(waiting, { kind: "begin" })).toEqual({ state: again, actions: "wait 3600 s" });
    expect(step({ ...waiting, claudeWaits: true }, { kind: "begin" })).toEqual({
      state: again,
      actions: "wait 3600 s",
    });
    expect(step(waiting, { kind: "begin" }, { maxWait: minute })).toMatchObject({
      state: { phase: "paused", until: now + hour },
      actions: "exit waiting",
    });
    expect(step({ ...waiting, until: now }, { kind: "begin" }).actions).toBe("prepare");
  });

  test("waits for a limit that another run reported", () => {
    const known = { knownLimit: now + minute, turn: 5_000 };
    expect(step(newState("starting"), { kind: "begin" }, { ...known, begun: false })).toMatchObject({
      state: { phase: "waiting-limit", cause: "limit", until: now + minute + 5_500 },
      actions: "wait 65.5 s",
    });
    expect(step(newState("backing-off"), { kind: "reached" }, known).actions).toBe("wait 65.5 s");
    expect(step(newState("starting"), { kind: "begin" }, { ...known, maxWait: 0 }).actions).toBe("exit waiting");
    expect(step(newState("starting"), { kind: "begin" }, { knownLimit: now }).actions).toBe("prepare");
  });
});

describe("a limit", () => {
  const working = newState("working");
  test.each<[what: string, signal: Signal, state: Partial<RunState>, given: Partial<RunContext>, expected: string]>([
    ["with a known reset: half a second after it", limit(now + minute), {}, {}, "wait 60.5 s"],
    ["after its turn among other runs", limit(now + minute), {}, { turn: 5_000 }, "wait 65.5 s"],
    ["with an unknown reset", limit(null), {}, {}, "wait 3600 s"],
    ["with an unknown reset that another run knows", limit(null), {}, { knownLimit: now + minute }, "wait 60.5 s"],
    [
      "with an unknown reset, when the one another run knew has passed",
      limit(null),
      {},
      { knownLimit: now - 1 },
      "wait 3600 s",
    ],
    ["when another run knows a later reset", limit(now + minute), {}, { knownLimit: now + hour }, "wait 3600.5 s"],
    ["whose reset has passed", limit(now - minute), {}, {}, "wait 0 s"],
    ["still there after its reset", limit(now - minute), { cause: "limit" }, {}, "wait 15 s"],
    ["still there a second time", limit(now), { cause: "limit", fruitless: 1 }, {}, "wait 60 s"],
    ["still there many times", limit(now), { cause: "limit", fruitless: 4 }, {}, "wait 300 s"],
    ["again, with a reset in the future", limit(now + minute), { cause: "limit", fruitless: 4 }, {}, "wait 60.5 s"],
    ["exactly as long as the maximum wait", limit(now + minute), {}, { maxWait: 60_500 }, "wait 60.5 s"],
    ["longer than the maximum wait", limit(now + minute), {}, { maxWait: 60_499 }, "exit waiting"],
    ["with a maximum wait of 0", limit(now + minute), {}, { maxWait: 0 }, "exit waiting"],
    [
      "after many attempts without an answer",
      limit(now + minute),
      { cause: "limit", fruitless: 99 },
      {},
      "wait 60.5 s",
    ],
    ["of a model", special("model", now + minute), {}, {}, "wait 60.5 s"],
    ["of a model without a reset", special("model", null), {}, {}, "exit waiting"],
    ["of money, two weeks ahead", special("spend", now + 336 * hour), {}, {}, "wait 1209600.5 s"],
    ["of money without a reset", special("spend", null), {}, { knownLimit: now + minute }, "exit waiting"],
    ["after an answer", limit(now + minute, true), { fruitless: 9 }, {}, "wait 60.5 s"],
  ])("%s", (_, signal, state, given, expected) => {
    expect(step({ ...working, ...state }, signal, given).actions).toBe(expected);
  });

  test("without a reset that only the user can end holds the run", () => {
    expect(step(working, special("spend", null)).state).toMatchObject({ phase: "paused", cause: "limit", until: null });
  });

  test("that exceeds the maximum wait pauses the run and records the reset", () => {
    const { state } = step(working, limit(now + hour), { maxWait: 0 });
    expect(state).toMatchObject({ phase: "paused", cause: "limit", until: now + hour + 500 });
  });
});

describe("attempts without an answer", () => {
  const failing = (fruitless: number): RunState => ({ ...newState("working"), fruitless });
  test.each<[fruitless: number, given: Partial<RunContext>, expected: string]>([
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

  test("count claudes that stopped early, although they answered", () => {
    const early = ended({ kind: "unfinished" }, true);
    expect(step(failing(3), early).state).toMatchObject({ fruitless: 4, cause: "unfinished" });
    expect(step(failing(9), early)).toMatchObject({ state: { phase: "failed" }, actions: "exit failed" });
  });

  test("are counted, and an answer resets the count", () => {
    expect(step(failing(3), crash).state).toMatchObject({ fruitless: 4, cause: "crash" });
    expect(step(failing(9), ended({ kind: "crash" }, true))).toMatchObject({
      state: { phase: "backing-off", fruitless: 0 },
      actions: "wait 10 s",
    });
  });
});

describe("an API that fails", () => {
  const failing = (fruitless: number, since = now - hour): RunState => ({
    ...newState("working"),
    cause: "server",
    fruitless,
    failingSince: since,
  });
  test.each<[what: string, state: RunState, given: Partial<RunContext>, expected: string]>([
    ["is retried more often than a crashing claude", failing(99), {}, "wait 300 s"],
    ["is retried within the maximum wait", failing(9), { maxWait: hour + 300_000 }, "wait 300 s"],
    ["is not retried after the maximum wait", failing(9), { maxWait: hour + 299_999 }, "exit failed"],
    ["is retried for the first time after a short pause", newState("working"), {}, "wait 10 s"],
    ["is retried at once after crashes", { ...newState("working"), cause: "crash", fruitless: 9 }, {}, "wait 10 s"],
    ["is retried as often as a crash without any wait", failing(8), { maxWait: 0 }, "wait 300 s"],
    ["is given up like a crash without any wait", failing(9), { maxWait: 0 }, "exit failed"],
  ])("%s", (_, state, given, expected) => {
    expect(step(state, server, given).actions).toBe(expected);
  });

  test("counts from its first failure, and from anew after an answer or another end", () => {
    expect(step(newState("working"), server).state).toMatchObject({ fruitless: 1, failingSince: now });
    expect(step(failing(3), server).state).toMatchObject({ fruitless: 4, failingSince: now - hour });
    expect(step(failing(3), ended({ kind: "server" }, true)).state).toMatchObject({ fruitless: 0, failingSince: now });
    expect(step(failing(30), crash)).toMatchObject({
      state: { fruitless: 1, failingSince: null },
      actions: "wait 10 s",
    });
    expect(step({ ...failing(3), phase: "failed" }, { kind: "begin" }).state.failingSince).toBeNull();
  });

  test("is counted from now on in a record that does not say since when it fails", () => {
    const { failingSince: _, ...old } = failing(3);
    expect(step(old, server).state.failingSince).toBe(now);
  });
});

describe("an overload", () => {
  const overload = ended({ kind: "overload" });
  const restored = (restores: number, fruitless = 0): RunState => ({ ...newState("working"), restores, fruitless });
  test("restores three times in a row, then gives up", () => {
    expect(step(restored(2), overload)).toMatchObject({ state: { restores: 3, fruitless: 1 }, actions: "restore" });
    expect(step(restored(3), overload)).toMatchObject({ state: { phase: "failed" }, actions: "exit failed" });
  });
  test("that follows answers continues the count of restores", () => {
    const answered = ended({ kind: "overload" }, true);
    expect(step(restored(2), answered)).toMatchObject({ state: { restores: 3 }, actions: "restore" });
    expect(step(restored(3), answered).actions).toBe("exit failed");
  });
  test("counts as an attempt without an answer", () => {
    expect(step(restored(0, 9), overload)).toMatchObject({ state: { fruitless: 10 }, actions: "exit failed" });
  });
  test("starts a new count of restores after answers", () => {
    expect(step(restored(3), ended({ kind: "server" }, true)).state.restores).toBe(0);
    expect(step(restored(3), crash).state.restores).toBe(3);
  });
});

test("an ended run has no wait and records its cause", () => {
  const state = { ...newState("working"), until: now, cause: "limit" };
  expect(step(state, ended({ kind: "finished" }, true)).state).toMatchObject({
    phase: "done",
    until: null,
    cause: null,
  });
  expect(step(state, ended({ kind: "billing" })).state).toMatchObject({
    phase: "failed",
    until: null,
    cause: "billing",
  });
  expect(step(state, { kind: "stop" }).state).toMatchObject({ phase: "stopped", until: null, cause: "stopped" });
  const waiting: RunState = { ...state, phase: "waiting-limit" };
  const paused = { phase: "paused", until: null } as const;
  expect(step(waiting, { kind: "interrupted" }).state).toMatchObject({ ...paused, cause: "interrupted" });
  const bySystem = { kind: "interrupted", bySystem: true } as const;
  expect(step(waiting, bySystem).state).toMatchObject({ ...paused, cause: "shutdown" });
});

import { describe, expect, test } from "bun:test";
import { plainContext } from "../../../scripts/run-diagram.ts";
import { type RunContext, type RunState, transition } from "../../../src/core/restart/machine.ts";
import type { Signal } from "../../../src/core/restart/signal.ts";

const now = 1_800_000_000_000;
const minute = 60_000;
const hour = 60 * minute;
const context: RunContext = { ...plainContext, now, firstDelay: 10_000 };
const working: RunState = { phase: "working", until: null, cause: null, fruitless: 0, restores: 0 };
const retrying = (why: "limit" | "server", until: number): Signal => ({ kind: "retrying", why, until });
const step = (state: RunState, signal: Signal, given: Partial<RunContext> = {}) =>
  transition(state, signal, { ...context, ...given });
const waiting = step(working, retrying("limit", now + hour)).state;
const failing = step(working, retrying("server", now + minute)).state;
const endClaude = { kind: "end-claude" } as const;

describe("a claude that waits for a limit", () => {
  test("is left alone, and the run waits with it", () => {
    expect(step(working, retrying("limit", now + hour))).toEqual({
      state: { ...working, phase: "waiting-limit", cause: "limit", until: now + hour, claudeWaits: true },
      actions: [{ kind: "wait", until: now + hour }],
    });
  });

  test("works again after an answer", () => {
    const { state, actions } = step(waiting, { kind: "answered" }, { now: now + hour });
    expect(state).toMatchObject({ phase: "working", until: null, cause: null, claudeWaits: false });
    expect(actions).toEqual([]);
  });

  test("is ended when its wait is longer than the user allows", () => {
    const { state, actions } = step(working, retrying("limit", now + hour), { maxWait: minute });
    expect(state).toMatchObject({ phase: "paused", cause: "limit", claudeWaits: false });
    expect(actions).toEqual([endClaude, { kind: "finish", exit: "waiting" }]);
  });

  test("is ended when its wait is longer than it can sleep, and the run waits without it", () => {
    const { state, actions } = step(working, retrying("limit", now + 7 * hour));
    expect(state).toMatchObject({ phase: "waiting-limit", claudeWaits: false, until: now + 7 * hour + 500 });
    expect(actions).toEqual([endClaude, { kind: "wait", until: now + 7 * hour + 500 }]);
  });

  test("is ended by a stop or an interruption", () => {
    for (const kind of ["stop", "interrupted"] as const) {
      expect(step(waiting, { kind }).actions).toEqual([endClaude, { kind: "finish", exit: "stopped" }]);
    }
  });

  test("that dies is started again at the reset, not before", () => {
    const { state, actions } = step(waiting, { kind: "ended", end: { kind: "crash" }, progress: true });
    expect(state).toMatchObject({ phase: "waiting-limit", cause: "limit", claudeWaits: false });
    expect(actions).toEqual([{ kind: "wait", until: now + hour + 500 }]);
  });

  test("that does not continue within a minute after the reset is ended and restarted", () => {
    const late = step(waiting, { kind: "reached" }, { now: now + hour });
    expect(late).toEqual({ state: waiting, actions: [{ kind: "wait", until: now + hour + minute, isSilent: true }] });
    const stuck = step(late.state, { kind: "reached" }, { now: now + hour + minute });
    expect(stuck.actions).toEqual([endClaude]);
    const crash: Signal = { kind: "ended", end: { kind: "crash" }, progress: true };
    expect(step(stuck.state, crash, { now: now + hour + minute }).state.phase).toBe("backing-off");
  });
});

describe("a claude that waits for a failing API", () => {
  test("keeps the time at which the failures began, until an answer", () => {
    expect(failing).toMatchObject({ phase: "backing-off", cause: "server", failingSince: now, claudeWaits: true });
    const again = step(failing, retrying("server", now + 3 * minute), { now: now + minute });
    expect(again.state.failingSince).toBe(now);
    expect(step(again.state, { kind: "answered" }).state.failingSince).toBeNull();
  });

  test("is ended when the failures last longer than the user allows", () => {
    const { state, actions } = step(failing, retrying("server", now + 3 * minute), { maxWait: 2 * minute });
    expect(state).toMatchObject({ phase: "failed", cause: "server" });
    expect(actions).toEqual([endClaude, { kind: "finish", exit: "failed" }]);
  });
});

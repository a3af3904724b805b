import { describe, expect, test } from "bun:test";
import { browserCommand } from "../../../src/core/dashboard/browser-command.ts";
import { canResume, canStop, orderCards, toneOfRun } from "../../../src/core/dashboard/cards.ts";
import type { Card, Tone } from "../../../src/core/dashboard/contract.ts";
import { thinPoints } from "../../../src/core/dashboard/thin-points.ts";
import { addWrong, isBlocked, type WrongTokens } from "../../../src/core/dashboard/wrong-tokens.ts";
import type { HostedState } from "../../../src/core/host/hosted-state.ts";
import { newRun, type Phase, type RunPlan } from "../../../src/core/run/run-record.ts";
import type { RunState } from "../../../src/core/run/state-words.ts";

function stateOf(phase: Phase, more: Partial<RunState> = {}): RunState {
  const { status } = newRun({ created: 0 } as RunPlan);
  return { kind: "headless", status: { ...status, phase }, died: false, hosted: undefined, ...more };
}

const card = (id: string, tone: Tone, since: number, hasEnded = false): Card => ({
  kind: "run",
  id,
  title: id,
  directory: "/",
  words: "",
  tone,
  wait: null,
  since,
  lastStep: null,
  costUsd: 0,
  sessionId: null,
  hasTerminal: false,
  hasEnded,
  canStop: false,
  canResume: false,
  command: null,
});

test("cards that need the user come first and ended ones last", () => {
  const cards = [
    card("done", "done", 9, true),
    card("failed", "bad", 8, true),
    card("idle", "idle", 7),
    card("busy", "busy", 5),
    card("busier", "busy", 6),
    card("limit", "wait", 4),
    card("died", "bad", 3),
    card("asks", "ask", 1),
  ];
  expect(orderCards(cards).map(({ id }) => id)).toEqual([
    "asks",
    "died",
    "limit",
    "busier",
    "busy",
    "idle",
    "done",
    "failed",
  ]);
});

describe("a run", () => {
  const asking: HostedState = { kind: "asking", about: "permission" };
  test.each([
    ["working", stateOf("working"), "busy", true, false],
    ["waiting for a limit", stateOf("waiting-limit"), "wait", true, false],
    ["paused", stateOf("paused"), "idle", true, true],
    ["failed", stateOf("failed"), "bad", false, true],
    ["done", stateOf("done"), "done", false, false],
    ["dead", stateOf("working", { died: true }), "bad", false, true],
    ["lost", stateOf("working", { died: true, lost: true }), "bad", false, false],
    ["asking", stateOf("working", { hosted: asking }), "ask", true, false],
  ] as const)(
    "that is %s has its tone, and can be stopped and resumed as far as that has a meaning",
    (_, state, tone, stops, resumes) => {
      expect([toneOfRun(state), canStop(state), canResume(state)]).toEqual([tone, stops, resumes]);
    },
  );
});

test("ten wrong tokens within a minute block, and the block ends with the minute", () => {
  const wrong = Array.from({ length: 9 }, (_, at) => at * 1_000).reduce<WrongTokens>(addWrong, []);
  expect(isBlocked(wrong, 9_000)).toBe(false);
  const full = addWrong(wrong, 9_000);
  expect([isBlocked(full, 59_999), isBlocked(full, 60_000)]).toEqual([true, false]);
});

test("thinned points keep the first, the last and the highest", () => {
  const points = Array.from({ length: 10_000 }, (_, at) => ({
    time: at,
    tokens: at === 4_321 ? 900_000 : at % 700,
    turn: 1,
  }));
  const thin = thinPoints(points, 300);
  expect(thin.length).toBeLessThanOrEqual(300);
  expect([thin[0], thin.at(-1)]).toEqual([points[0], points.at(-1)]);
  expect(thin.some(({ tokens }) => tokens === 900_000)).toBe(true);
  expect(thinPoints(points.slice(0, 300), 300)).toHaveLength(300);
});

test("no system passes the address of the browser through a shell", () => {
  const address = "http://127.0.0.1:4747/enter?token=a&b";
  for (const system of ["linux", "darwin", "windows"] as const) {
    expect(browserCommand(system, address).at(-1)).toBe(address);
    expect(browserCommand(system, address)[0]).not.toMatch(/sh$|cmd/);
  }
});

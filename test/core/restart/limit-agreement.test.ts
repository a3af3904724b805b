import { describe, expect, test } from "bun:test";
import { plainContext } from "../../../scripts/run-diagram.ts";
import { countRestart, decideEnding, type RestartHistory } from "../../../src/core/restart/ending.ts";
import { type RunState, transition } from "../../../src/core/restart/machine.ts";

const now = 1_800_000_000_000;
const day = 24 * 3_600_000;
const settings = { firstDelay: 1_000, unknownLimit: 3_600_000 };

interface Limit {
  readonly resetsAt: number | null;
  readonly progress: boolean;
}
const worked = (resetsAt: number | null): Limit => ({ resetsAt, progress: true });
const idle = (resetsAt: number | null): Limit => ({ resetsAt, progress: false });

/** Seconds that `ai-runtime run` waits after each of these limits. */
function waitsOfRun(limits: readonly Limit[]): unknown[] {
  let state: RunState = { phase: "working", until: null, cause: null, fruitless: 0, restores: 0 };
  const context = { ...plainContext, now, ...settings };
  return limits.map(({ resetsAt, progress }) => {
    const next = transition(state, { kind: "ended", end: { kind: "limit", resetsAt }, progress }, context);
    state = { ...next.state, phase: "working", until: null };
    const [action] = next.actions;
    return action?.kind === "wait" ? (action.until - now) / 1_000 : action?.kind;
  });
}

/** Seconds that cclaude waits after each of these limits. */
function waitsOfCclaude(limits: readonly Limit[]): unknown[] {
  let history: RestartHistory = { crashes: 0, limits: 0, restores: 0, restarts: 0 };
  const rules = { now, ...settings };
  return limits.map(({ resetsAt, progress }) => {
    const evidence = {
      exitCode: 1,
      signal: null,
      stopAsked: false,
      interactive: false,
      hooksSeen: true,
      endReason: null,
      failure: null,
      finalError: { kind: "limit", resetsAt: resetsAt ?? undefined },
      resumable: true,
      progress,
      snapshotAge: null,
      growth: 0,
      contextTokens: null,
    } as const;
    const decision = decideEnding(evidence, history, rules);
    const { action } = decision;
    history = countRestart(history, decision, progress);
    return action.kind === "wait" ? (action.until - now) / 1_000 : action.kind;
  });
}

describe("runs and cclaude wait equally long", () => {
  const passed = now - 60_000;
  test.each<[what: string, limits: readonly Limit[], seconds: number[]]>([
    ["for a reset ahead", [worked(now + 60_000)], [60.5]],
    ["for a reset that has passed", [worked(passed)], [0]],
    [
      "while a limit outlives its reset",
      [worked(passed), idle(passed), idle(passed), idle(passed), idle(passed)],
      [0, 15, 60, 300, 300],
    ],
    ["for a repeated limit with a reset ahead", [worked(passed), idle(passed), idle(now + 10_000)], [0, 15, 10.5]],
    ["for a reset 8 days ahead", [worked(now + 8 * day)], [8 * 86_400 + 0.5]],
    ["for a reset more than 8 days ahead", [worked(now + 8 * day + 1)], [3_600]],
    ["for an unknown reset", [worked(null)], [3_600]],
    ["for repeated unknown resets", [worked(null), idle(null), idle(null)], [3_600, 3_600, 3_600]],
  ])("%s", (_, limits, seconds) => {
    expect({ run: waitsOfRun(limits), cclaude: waitsOfCclaude(limits) }).toEqual({
      run: seconds,
      cclaude: seconds,
    });
  });
});

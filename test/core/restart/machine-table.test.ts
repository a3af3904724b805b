import { describe, expect, test } from "bun:test";
import { allSignals, nameOf } from "../../../scripts/run-diagram.ts";
import { type Phase, phases } from "../../../src/core/run/run-record.ts";
import { newState, step } from "../../support/runs/machine-step.ts";

const everyEnd =
  "finished limit crash server empty overload authentication permission billing budget turns refused error unfinished hook deferred refusal";
const duringAttempt = "claude-waits-for-limit claude-waits-for-server answered";
const everything = `begin launched ${duringAttempt} reached ready went-on-elsewhere no-restore-point interrupted stop ${everyEnd}`;
const nothing = "";
const same = undefined;

/** The phase, the signal, the next phase and the actions, for a run with an earlier attempt, no known limit and all attempts left. */
type Row = [phases: string, signals: string, next: Phase | undefined, actions: string];

const rows: Row[] = [
  ["done stopped", everything, same, nothing],

  ["queued", "begin", "recovering", "prepare"],
  ["queued", "interrupted", "paused", "exit stopped"],
  ["queued", "stop", "stopped", "exit stopped"],
  ["queued", "launched reached ready went-on-elsewhere no-restore-point", same, nothing],
  ["queued", `${duringAttempt} ${everyEnd}`, same, nothing],

  ["failed paused", "begin", "recovering", "prepare"],
  ["failed paused", "stop", "stopped", "exit stopped"],
  ["failed paused", "launched reached ready went-on-elsewhere no-restore-point interrupted", same, nothing],
  ["failed paused", `${duringAttempt} ${everyEnd}`, same, nothing],

  ["waiting-limit backing-off", "begin reached", "recovering", "prepare"],
  ["waiting-limit backing-off recovering", "interrupted", "paused", "exit stopped"],
  ["waiting-limit backing-off recovering", "stop", "stopped", "exit stopped"],
  ["waiting-limit backing-off", "launched ready went-on-elsewhere no-restore-point", same, nothing],
  ["waiting-limit backing-off", `${duringAttempt} ${everyEnd}`, same, nothing],

  ["recovering", "begin", same, "prepare"],
  ["recovering", "ready", "starting", "launch"],
  ["recovering", "went-on-elsewhere", "paused", "exit locked"],
  ["recovering", "no-restore-point", "failed", "exit failed"],
  ["recovering", "launched reached", same, nothing],
  ["recovering", `${duringAttempt} ${everyEnd}`, same, nothing],

  ["starting working", "begin", "recovering", "prepare"],
  ["starting working", "launched", "working", nothing],
  ["starting working", "reached ready went-on-elsewhere no-restore-point", same, nothing],
  ["starting working", "claude-waits-for-limit", "waiting-limit", "wait 0 s"],
  ["starting working", "claude-waits-for-server", "backing-off", "wait 0 s"],
  ["starting working", "answered", same, nothing],
  ["starting working", "interrupted", "paused", "end-claude, exit stopped"],
  ["starting working", "stop", "stopped", "end-claude, exit stopped"],
  ["starting working", "finished", "done", "exit done"],
  ["starting working", "limit", "waiting-limit", "wait 3600 s"],
  ["starting working", "crash server empty unfinished", "backing-off", "wait 10 s"],
  ["starting working", "overload", "recovering", "restore"],
  ["starting working", "authentication permission billing", "failed", "exit authentication"],
  ["starting working", "budget turns refused error hook deferred refusal", "failed", "exit failed"],
];

const cells = rows.flatMap(([from, signals, next, actions]) =>
  from.split(" ").flatMap((phase) => signals.split(" ").map((signal) => ({ phase, signal, next, actions }))),
);

describe("every phase handles every signal", () => {
  const signals = new Map(allSignals.map((signal) => [nameOf(signal), signal]));

  test("each pair has exactly one row", () => {
    const all = phases.flatMap((phase) => [...signals.keys()].map((signal) => `${phase} ${signal}`));
    expect(cells.map(({ phase, signal }) => `${phase} ${signal}`).toSorted()).toEqual(all.toSorted());
  });

  test.each(cells)("$phase + $signal", ({ phase, signal, next, actions }) => {
    const known = signals.get(signal);
    const from = phases.find((each) => each === phase);
    if (!known || !from) throw new Error(`unknown phase ${phase} or signal ${signal}`);
    const result = step(newState(from), known);
    expect(result.actions).toBe(actions);
    expect(result.state.phase).toBe(next ?? from);
  });
});

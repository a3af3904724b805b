import { describe, expect, test } from "bun:test";
import { type BootSituation, chooseAfterBoot, parseBootRecord } from "../../../src/core/run/boot-recovery.ts";
import { newRun, type RunPlan, type RunRecord, type RunStatus } from "../../../src/core/run/run-record.ts";

const now = 1_800_000_000_000;
const day = 86_400_000;
const earlier = { pid: 7, startTime: "1", bootId: "earlier" };
const present = { pid: 8, startTime: "2", bootId: "present" };

function run(status: Partial<RunStatus> = {}, plan: Partial<RunPlan> = {}): RunRecord {
  const rest = { cwd: "/p", directory: "/p/x", sessionId: "s", claude: "claude", flags: [], permissionMode: null };
  const more = { task: "t", claudeConfig: "/c", created: now - day, maxWait: null, maxBudgetUsd: null };
  const record = newRun({ id: "one", kind: "headless", ...rest, ...more, ...plan });
  return {
    ...record,
    status: { ...record.status, phase: "working", since: now - day, supervisor: earlier, ...status },
  };
}

const after = (changes: Partial<BootSituation> = {}): BootSituation => ({
  policy: "runs",
  bootId: "present",
  taken: [],
  now,
  ...changes,
});

const fate = (record: RunRecord, situation: Partial<BootSituation> = {}): "resumed" | "left" | "ignored" => {
  const { resumed, left } = chooseAfterBoot([record], after(situation));
  expect(resumed.length + left.length).toBeLessThanOrEqual(1);
  return resumed.length > 0 ? "resumed" : left.length > 0 ? "left" : "ignored";
};

const isPiped = { isPiped: false };
const kinds: [what: string, plan: Partial<RunPlan>, runs: string, all: string, ask: string][] = [
  ["a run", {}, "resumed", "resumed", "left"],
  ["a hosted session", { kind: "interactive" }, "left", "resumed", "left"],
  ["a session of cclaude in a terminal", { kind: "interactive", cclaude: isPiped }, "left", "resumed", "left"],
  ["a cclaude -p", { cclaude: isPiped }, "left", "resumed", "left"],
];
test.each(kinds)("the policy decides about %s", (_what, plan, runs, all, ask) => {
  const fates = (["runs", "all", "ask"] as const).map((policy) => fate(run({}, plan), { policy }));
  expect(fates).toEqual([runs, all, ask] as typeof fates);
});

const rows: [what: string, record: RunRecord, expected: string, situation?: Partial<BootSituation>][] = [
  ["died with an earlier boot", run(), "resumed"],
  ["was ended by the shutdown", run({ phase: "paused", cause: "shutdown" }), "resumed"],
  ["waited for a limit that is over", run({ phase: "waiting-limit", until: now - 1 }), "resumed"],
  ["has no supervisor", run({ supervisor: null }), "resumed"],
  ["is of a system without boot ids", run({ supervisor: { ...earlier, bootId: "" } }), "resumed"],
  ["died since the boot", run({ supervisor: present }), "ignored"],
  ["gave up before the boot", run({ phase: "failed", cause: "crash" }), "ignored"],
  ["was interrupted a month ago", run({ since: now - 31 * day }), "ignored"],
  ["waits for a limit since a month, until tomorrow", run({ since: now - 31 * day, until: now + day }), "resumed"],
  ["was taken and started", run(), "ignored", { taken: [{ id: "one", supervisor: { ...earlier, pid: 6 } }] }],
  ["was taken, but not started", run(), "resumed", { taken: [{ id: "one", supervisor: earlier }] }],
  ["was taken without a supervisor, and started", run(), "ignored", { taken: [{ id: "one", supervisor: null }] }],
];
test.each(rows)("a run that %s", (_what, record, expected, situation = {}) => {
  expect(fate(record, situation)).toBe(expected as "resumed");
});

describe("the record of a boot", () => {
  const whole = {
    version: 1,
    bootId: "b",
    state: "begun",
    time: now,
    taken: [{ id: "one", supervisor: null }],
  } as const;
  test("is read back", () => expect(parseBootRecord(JSON.stringify(whole))).toEqual(whole));
  test.each([
    "",
    "{",
    "null",
    JSON.stringify({ ...whole, version: 2 }),
    JSON.stringify({ ...whole, state: "half" }),
    JSON.stringify({ ...whole, time: "now" }),
    JSON.stringify({ ...whole, taken: [{ id: 1 }] }),
  ])("is ignored when it is damaged: %s", (text) => expect(parseBootRecord(text)).toBeUndefined());
});

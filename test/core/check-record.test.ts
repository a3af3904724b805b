import { describe, expect, test } from "bun:test";
import { isRunRecord } from "../../src/core/check-record.ts";
import { newRun } from "../../src/core/run/run-record.ts";

const id = "20261117-090000-aaaa";
const mark = { pid: 4711, startTime: "123", bootId: "boot" };
const plan = {
  id,
  kind: "headless",
  task: "Do it",
  cwd: "/project",
  directory: `/project/.ai-runtime/sessions/${id}`,
  sessionId: "11111111-2222-4333-8444-555555555555",
  claude: "/usr/bin/claude",
  flags: ["--model", "opus"],
  permissionMode: null,
  claudeConfig: "/home/.claude",
  created: 1_794_900_000_000,
  maxWait: null,
  maxBudgetUsd: null,
} as const;
const { status } = newRun(plan);
const whole = { version: 1, plan, status: { ...status, supervisor: mark, child: mark } };

test("isRunRecord accepts our own records, also with unknown fields", () => {
  expect(isRunRecord(newRun(plan), id)).toBe(true);
  expect(isRunRecord(whole, id)).toBe(true);
  const more = { plan: { ...plan, maxWait: 5, maxBudgetUsd: 1.5, permissionMode: "plan", later: true }, later: true };
  expect(isRunRecord({ ...whole, ...more }, id)).toBe(true);
});

test("isRunRecord refuses the record of another run", () => {
  expect(isRunRecord(whole, "20261117-090000-bbbb")).toBe(false);
});

describe("isRunRecord refuses a record", () => {
  test.each(["version", "plan", "status"])("without %s", (key) => {
    expect(isRunRecord({ ...whole, [key]: undefined }, id)).toBe(false);
  });
  test.each(Object.keys(plan))("without plan.%s", (key) => {
    expect(isRunRecord({ ...whole, plan: { ...plan, [key]: undefined } }, id)).toBe(false);
  });
  test.each(Object.keys(status))("without status.%s", (key) => {
    expect(isRunRecord({ ...whole, status: { ...whole.status, [key]: undefined } }, id)).toBe(false);
  });
  test.each<[what: string, record: unknown]>([
    ["no content", null],
    ["a later version", { ...whole, version: 2 }],
    ["an unknown kind of run", { ...whole, plan: { ...plan, kind: "other" } }],
    ["a flag that is not a text", { ...whole, plan: { ...plan, flags: ["--model", 1] } }],
    ["a time outside of the range of Date", { ...whole, plan: { ...plan, created: 8.65e15 } }],
    ["an unknown phase", { ...whole, status: { ...whole.status, phase: "over" } }],
    ["a wait of claude that is not a flag", { ...whole, status: { ...whole.status, claudeWaits: "yes" } }],
    ["a wait until NaN", { ...whole, status: { ...whole.status, until: Number.NaN } }],
    ["an infinite cost", { ...whole, status: { ...whole.status, costUsd: Number.POSITIVE_INFINITY } }],
    ["a process id that is not whole", { ...whole, status: { ...whole.status, child: { ...mark, pid: 1.5 } } }],
    ["a process without a start time", { ...whole, status: { ...whole.status, supervisor: { pid: 1 } } }],
  ])("with %s", (_, record) => {
    expect(isRunRecord(record, id)).toBe(false);
  });
});

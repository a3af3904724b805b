import { describe, expect, test } from "bun:test";
import { isRunRecord } from "../../src/core/check-record.ts";
import { newRun } from "../../src/core/run-record.ts";

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

test("what we wrote is believed, with fields that are not known yet as well", () => {
  expect(isRunRecord(newRun(plan), id)).toBe(true);
  expect(isRunRecord(whole, id)).toBe(true);
  const more = { plan: { ...plan, maxWait: 5, maxBudgetUsd: 1.5, permissionMode: "plan", later: true }, later: true };
  expect(isRunRecord({ ...whole, ...more }, id)).toBe(true);
});

test("the record of another run is not this one's", () => {
  expect(isRunRecord(whole, "20261117-090000-bbbb")).toBe(false);
});

describe("one field that is not what it should be, and nothing is believed", () => {
  test.each(["version", "plan", "status"])("%s is missing", (key) => {
    expect(isRunRecord({ ...whole, [key]: undefined }, id)).toBe(false);
  });
  test.each(Object.keys(plan))("plan.%s is missing", (key) => {
    expect(isRunRecord({ ...whole, plan: { ...plan, [key]: undefined } }, id)).toBe(false);
  });
  test.each(Object.keys(status))("status.%s is missing", (key) => {
    expect(isRunRecord({ ...whole, status: { ...whole.status, [key]: undefined } }, id)).toBe(false);
  });
  test.each<[what: string, record: unknown]>([
    ["nothing", null],
    ["a later version", { ...whole, version: 2 }],
    ["a kind of run that there is not", { ...whole, plan: { ...plan, kind: "other" } }],
    ["a flag that is no word", { ...whole, plan: { ...plan, flags: ["--model", 1] } }],
    ["a moment that no calendar has", { ...whole, plan: { ...plan, created: 8.65e15 } }],
    ["a phase that there is not", { ...whole, status: { ...whole.status, phase: "over" } }],
    ["a wait that ends at no moment", { ...whole, status: { ...whole.status, until: Number.NaN } }],
    ["an endless cost", { ...whole, status: { ...whole.status, costUsd: Number.POSITIVE_INFINITY } }],
    ["a process whose number is none", { ...whole, status: { ...whole.status, child: { ...mark, pid: 1.5 } } }],
    ["a process that began at no time", { ...whole, status: { ...whole.status, supervisor: { pid: 1 } } }],
  ])("%s", (_, record) => {
    expect(isRunRecord(record, id)).toBe(false);
  });
});

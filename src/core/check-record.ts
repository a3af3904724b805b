import { phases, type ProcessMark, type RunRecord } from "./run/run-record.ts";

type Fields = Record<string, unknown>;
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === "string";
/** A valid time for a Date. */
export const isTime: Check = (value) => typeof value === "number" && Math.abs(value) < 8.64e15;
export const isAmount: Check = (value) => typeof value === "number" && Number.isFinite(value);
export const isFlag: Check = (value) => typeof value === "boolean";
export const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
/** An object with at least these fields. */
export const has =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(checks).every(([key, check]) => check((value as Fields)[key]));

export const isProcessMark = has({
  pid: (value) => Number.isSafeInteger(value),
  startTime: isText,
  bootId: isText,
} satisfies Record<keyof ProcessMark, Check>);

const isPlan = has({
  kind: (value) => value === "headless" || value === "interactive" || value === "service",
  task: isText,
  cwd: isText,
  directory: isText,
  sessionId: isText,
  claude: isText,
  flags: isTexts,
  permissionMode: orNull(isText),
  claudeConfig: isText,
  created: isTime,
  maxWait: orNull(isAmount),
  maxBudgetUsd: orNull(isAmount),
  cclaude: (value) => value === undefined || has({ isPiped: isFlag })(value),
  isOfFleet: (value) => value === undefined || isFlag(value),
});

const isStatus = has({
  phase: (value) => phases.some((phase) => phase === value),
  since: isTime,
  until: orNull(isTime),
  cause: orNull(isText),
  attempts: isAmount,
  fruitless: isAmount,
  restores: isAmount,
  failingSince: (value) => value === undefined || orNull(isTime)(value),
  claudeWaits: (value) => value === undefined || isFlag(value),
  steps: isAmount,
  lastStep: orNull(isText),
  costUsd: isAmount,
  exit: orNull(isText),
  supervisor: orNull(isProcessMark),
  child: orNull(isProcessMark),
});

/** Accepts a record only if every field is valid. */
export function isRunRecord(value: unknown, id: string): value is RunRecord {
  const isShaped = has({ version: (version) => version === 1, plan: isPlan, status: isStatus })(value);
  return isShaped && (value as RunRecord).plan.id === id;
}

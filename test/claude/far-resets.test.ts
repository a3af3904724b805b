import { expect, test } from "bun:test";
import { type AttemptEvidence, readAttemptEnd } from "../../src/claude/attempt-end.ts";

const now = 1_800_000_000_000;
const day = 24 * 3_600_000;
const clock = { now, zone: "UTC", parseReset: () => undefined };
const limited = (quotaResetsAt: number, limitResetsAt?: number): AttemptEvidence => ({
  exitCode: 1,
  signal: undefined,
  began: true,
  result: { kind: "result", isError: true, subtype: "success", text: undefined, costUsd: 0, turns: 1 },
  failure: { error: "rate_limit", status: 429, details: undefined, quotaResetsAt, text: "You have hit your limit" },
  limitResetsAt,
  ending: undefined,
});

test("a reset more than eight days ahead is not believed", () => {
  expect(readAttemptEnd(limited(now + 7 * day), clock)).toEqual({ kind: "limit", resetsAt: now + 7 * day });
  expect(readAttemptEnd(limited(now + 9 * day), clock)).toEqual({ kind: "limit", resetsAt: null });
  expect(readAttemptEnd(limited(now + 900 * day, now + day), clock)).toEqual({ kind: "limit", resetsAt: now + day });
});

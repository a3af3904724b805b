import { expect, test } from "bun:test";
import { readEnding } from "../../../src/claude/transcript/transcript-ending.ts";
import { AttemptReader } from "../../../src/claude/stream/attempt-reader.ts";
import { readStreamLine } from "../../../src/claude/stream/stream.ts";
import { type AttemptEvidence, readAttemptEnd } from "../../../src/claude/stream/attempt-end.ts";

const now = 1_800_000_000_000;
const day = 24 * 3_600_000;
const clock = { now, zone: "UTC", latestReset: now + 8 * day, latestSpendReset: now + 32 * day };
const [result] = readStreamLine('{"type":"result","subtype":"success","is_error":true,"num_turns":1}');
const limited = (quotaResetsAt: number, limitResetsAt?: number): AttemptEvidence => ({
  ...new AttemptReader().evidence,
  exitCode: 1,
  signal: undefined,
  began: true,
  result: result?.kind === "result" ? result : undefined,
  failure: { error: "rate_limit", status: 429, details: undefined, quotaResetsAt, text: "You have hit your limit" },
  limitResetsAt,
  usageResetsAt: undefined,
  ending: undefined,
});

test("a stream's reset that is not credible counts as unknown, unless another source has a credible one", () => {
  expect(readAttemptEnd(limited(now + 7 * day), clock)).toEqual({ kind: "limit", resetsAt: now + 7 * day });
  expect(readAttemptEnd(limited(now + 9 * day), clock)).toEqual({ kind: "limit", resetsAt: null });
  expect(readAttemptEnd(limited(now + 900 * day, now + day), clock)).toEqual({ kind: "limit", resetsAt: now + day });
});

test("a transcript's reset that is not credible counts as unknown", () => {
  const endAt = (resetsAt: number) => {
    const line = {
      type: "assistant",
      timestamp: new Date(now).toISOString(),
      isApiErrorMessage: true,
      error: "rate_limit",
      quotaLimits: { resetsAt: resetsAt / 1_000 },
      message: { content: [{ type: "text", text: "You have hit your limit" }] },
    };
    return readEnding([JSON.stringify(line)], now - 1, clock).finalError;
  };
  expect(endAt(now + 7 * day)).toEqual({ kind: "limit", resetsAt: now + 7 * day });
  expect(endAt(now + 9 * day)).toEqual({ kind: "limit", resetsAt: undefined });
});

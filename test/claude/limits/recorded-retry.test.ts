import { expect, test } from "bun:test";
import { readRecordedRetry } from "../../../src/claude/limits/recorded-retry.ts";

const retry = (error: object) => ({
  type: "system",
  subtype: "api_error",
  error,
  retryInMs: 5_536,
  timestamp: "2026-11-18T01:29:17.464Z",
});
const limited = retry({ status: 429, rateLimits: { rateLimitType: "five_hour", resetsAt: 1_794_965_363 } });
const overloaded = retry({ status: 529, rateLimits: null });
const read = (...entries: object[]) => readRecordedRetry(entries.toReversed().map((entry) => JSON.stringify(entry)));

test("reads the reset of the limit, or the time of the next request", () => {
  expect(read({ type: "user" }, limited, { type: "last-prompt" })).toEqual({ why: "limit", until: 1_794_965_363_000 });
  expect(read({ type: "user" }, overloaded)).toEqual({ why: "server", until: Date.parse("2026-11-18T01:29:23.000Z") });
});

test("recognizes a 429 without a reset that is retried again and again", () => {
  const endless = (retryAttempt: number) => ({ ...retry({ status: 429, rateLimits: {} }), retryAttempt });
  expect(read(endless(3))).toMatchObject({ why: "server" });
  expect(read(endless(4))).toMatchObject({ why: "endless" });
});

test("ignores a retry after which the conversation continued", () => {
  expect(read({ type: "user" }, limited, { type: "assistant" })).toBeUndefined();
});

test("a wait that the user interrupts has not continued", () => {
  const interrupted = { type: "user", message: { content: [{ type: "text", text: "[Request interrupted by user]" }] } };
  expect(read({ type: "user" }, limited, interrupted)).toMatchObject({ why: "limit" });
  expect(read({ type: "user" }, limited, { type: "user", message: { content: "Go on" } })).toBeUndefined();
});

test("ignores damaged lines, subagents and entries of another form", () => {
  expect(readRecordedRetry(["{", JSON.stringify({ ...limited, isSidechain: true }), "null"])).toBeUndefined();
  expect(read({ type: "system", subtype: "api_error" })).toBeUndefined();
});

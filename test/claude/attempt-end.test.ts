import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { anything, assert, integer, json, option, property, record, string } from "fast-check";
import { type AttemptEvidence, readAttemptEnd } from "../../src/claude/attempt-end.ts";
import { readStreamLine, type StreamResult } from "../../src/claude/stream.ts";
import { readEnding, type TranscriptEnding } from "../../src/claude/transcript-ending.ts";
import { parseResetTime } from "../../src/core/reset-time.ts";
import type { AttemptEnd } from "../../src/core/signal.ts";

setDefaultTimeout(60_000);

const now = Date.parse("2026-11-16T12:00:00Z");
const clock = { now, zone: "UTC", parseReset: parseResetTime };
const success: StreamResult = {
  kind: "result",
  isError: false,
  subtype: "success",
  text: "Done.",
  costUsd: 0.1,
  turns: 2,
};
const failed = { ...success, isError: true };
const answered: TranscriptEnding = {
  finalError: undefined,
  midTurn: false,
  answered: true,
  spoken: true,
  version: "2.1.325",
};
const silent = { ...answered, answered: false };
const facts = { error: undefined, status: undefined, details: undefined, quotaResetsAt: undefined, text: "" };
const limitWords = { ...facts, error: "rate_limit", text: "You've hit your limit · resets 2:50pm (UTC)" };
const keyLimit = { ...facts, error: "rate_limit", status: 429, text: "API Error: Request rejected (429) · slow down" };
const told: AttemptEvidence = {
  exitCode: 0,
  signal: undefined,
  began: true,
  result: success,
  failure: undefined,
  limitResetsAt: undefined,
  ending: answered,
};
const nothingSaid: Partial<AttemptEvidence> = { exitCode: 1, result: undefined };
const killed: Partial<AttemptEvidence> = { exitCode: 137, signal: "SIGKILL", result: undefined };

describe("how a start of claude ended", () => {
  test.each<[what: string, evidence: Partial<AttemptEvidence>, end: AttemptEnd]>([
    ["done, with answers in the transcript", {}, { kind: "finished" }],
    ["done, but a stumble on the way out", { exitCode: 1 }, { kind: "finished" }],
    [
      "done, died, and its last words are not written",
      { exitCode: 1, ending: { ...answered, midTurn: true } },
      { kind: "empty" },
    ],
    ["done without an answer", { ending: silent }, { kind: "empty" }],
    ["done without a transcript", { ending: undefined }, { kind: "empty" }],
    ["exit 0 without a word", { result: undefined }, { kind: "empty" }],
    ["done after an error that it went on from", { failure: limitWords }, { kind: "finished" }],
    ["turns used up", { exitCode: 1, result: { ...failed, subtype: "error_max_turns" } }, { kind: "turns" }],
    ["turns used up, as 2.1.36 says it", { result: { ...success, subtype: "error_max_turns" } }, { kind: "turns" }],
    ["budget used up", { exitCode: 1, result: { ...failed, subtype: "error_max_budget_usd" } }, { kind: "budget" }],
    [
      "a limit by its words",
      { exitCode: 1, result: failed, failure: limitWords },
      { kind: "limit", resetsAt: Date.parse("2026-11-16T14:50:00Z") },
    ],
    [
      "a limit by its event",
      { exitCode: 1, result: failed, failure: limitWords, limitResetsAt: now + 5 },
      { kind: "limit", resetsAt: now + 5 },
    ],
    [
      "a limit by its field",
      { exitCode: 1, result: failed, failure: { ...limitWords, quotaResetsAt: now + 9 }, limitResetsAt: now + 5 },
      { kind: "limit", resetsAt: now + 9 },
    ],
    [
      "a limit that says nothing",
      { exitCode: 1, result: failed, failure: { ...limitWords, text: "You've hit your limit" } },
      { kind: "limit", resetsAt: null },
    ],
    ["a key that asks too fast", { exitCode: 1, result: failed, failure: keyLimit }, { kind: "server" }],
    [
      "a limit that only the transcript tells",
      { ...killed, ending: { ...silent, finalError: { kind: "limit", resetsAt: now + 7 } } },
      { kind: "limit", resetsAt: now + 7 },
    ],
    [
      "too long",
      { exitCode: 1, result: failed, failure: { ...facts, text: "Prompt is too long" } },
      { kind: "overload" },
    ],
    [
      "wrong login",
      { exitCode: 1, result: failed, failure: { ...facts, error: "authentication_failed" } },
      { kind: "authentication" },
    ],
    ["no credit", { exitCode: 1, result: failed, failure: { ...facts, error: "billing_error" } }, { kind: "billing" }],
    [
      "another refusal",
      { exitCode: 1, result: failed, failure: { ...facts, status: 400, text: "API Error: 400" } },
      { kind: "error" },
    ],
    ["killed", killed, { kind: "crash" }],
    ["exit 1 in the middle", nothingSaid, { kind: "crash" }],
    ["exit 1 before the first word", { ...nothingSaid, began: false }, { kind: "refused" }],
    [
      "an error of its own before the first turn",
      { exitCode: 1, result: { ...failed, subtype: "error_during_execution", turns: 0 } },
      { kind: "refused" },
    ],
    [
      "an error of its own later on",
      { exitCode: 1, result: { ...failed, subtype: "error_during_execution", turns: 1 } },
      { kind: "crash" },
    ],
    [
      "a key that asks too fast, and is told until when",
      { exitCode: 1, result: failed, failure: { ...keyLimit, quotaResetsAt: now + 9 } },
      { kind: "limit", resetsAt: now + 9 },
    ],
    [
      "killed after an error that it was getting over",
      { ...killed, failure: { ...facts, error: "authentication_failed" } },
      { kind: "crash" },
    ],
    [
      "no error, and no success either",
      { result: { ...success, subtype: "error_during_execution" } },
      { kind: "empty" },
    ],
    ["killed before the first word", { ...killed, began: false }, { kind: "crash" }],
  ])("%s", (_, evidence, end) => {
    expect(readAttemptEnd({ ...told, ...evidence }, clock)).toEqual(end);
  });
});

test("a model that speaks of limits is at none, neither in the stream nor in the transcript", () => {
  const line = {
    type: "assistant",
    timestamp: new Date(now).toISOString(),
    message: { model: "claude", content: [{ type: "text", text: "You've hit your limit · resets 10pm (UTC)" }] },
  };
  expect(readStreamLine(JSON.stringify(line)).map(({ kind }) => kind)).toEqual(["text"]);
  expect(readEnding([JSON.stringify(line)], now - 1, clock)).toMatchObject({ finalError: undefined, answered: true });
});

test("no line of a stream, and no evidence, is thrown at", () => {
  assert(
    property(json(), string(), anything(), (text, words, value) => {
      readStreamLine(text);
      readStreamLine(words);
      for (const type of ["system", "assistant", "user", "rate_limit_event", "result"]) {
        const rest = { subtype: "init", message: value, rate_limit_info: value, model_usage_since_last_result: value };
        readStreamLine(safely({ type, ...rest }));
      }
    }),
    { numRuns: 2_000 },
  );
  const failures = record({
    error: option(string(), { nil: undefined }),
    status: option(integer(), { nil: undefined }),
    details: option(string(), { nil: undefined }),
    quotaResetsAt: option(integer(), { nil: undefined }),
    text: string(),
  });
  assert(
    property(integer(), option(failures, { nil: undefined }), string(), (exitCode, failure, subtype) => {
      const result = { ...failed, subtype };
      expect(readAttemptEnd({ ...told, exitCode, failure, result }, clock).kind).toBeString();
    }),
    { numRuns: 2_000 },
  );
});

function safely(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

import { describe, expect, test } from "bun:test";
import { anything, assert, integer, json, option, property, record, string } from "fast-check";
import { type AttemptEvidence, explainAttemptEnd, readAttemptEnd } from "../../../src/claude/stream/attempt-end.ts";
import { readStreamLine, type StreamResult } from "../../../src/claude/stream/stream.ts";
import { readEnding, type TranscriptEnding } from "../../../src/claude/transcript/transcript-ending.ts";
import type { AttemptEnd } from "../../../src/core/restart/signal.ts";

const now = Date.parse("2026-11-16T12:00:00Z");
const clock = { now, zone: "UTC", latestReset: now + 8 * 24 * 3_600_000, latestSpendReset: now + 32 * 24 * 3_600_000 };
const success: StreamResult = {
  kind: "result",
  isError: false,
  subtype: "success",
  text: "Done.",
  terminalReason: "completed",
  stopReason: "end_turn",
  hasAnswer: true,
  deferred: undefined,
  isTotalCost: true,
  costUsd: 0.1,
  turns: 2,
};
const failed = { ...success, isError: true };
const answered: TranscriptEnding = {
  finalError: undefined,
  errorText: undefined,
  midTurn: false,
  answered: true,
  continuedAt: undefined,
  promptedAt: undefined,
  spoken: true,
  hookReason: undefined,
  version: "2.1.326",
};
const silent = { ...answered, answered: false };
const facts = { error: undefined, status: undefined, details: undefined, quotaResetsAt: undefined, text: "" };
const limitWords = { ...facts, error: "rate_limit", text: "You've hit your limit · resets 2:50pm (UTC)" };
const keyLimit = { ...facts, error: "rate_limit", status: 429, text: "API Error: Request rejected (429) · slow down" };
const finished: AttemptEvidence = {
  exitCode: 0,
  signal: undefined,
  began: true,
  result: success,
  pending: [],
  failure: undefined,
  limitResetsAt: undefined,
  hookReason: undefined,
  usageResetsAt: undefined,
  ending: answered,
};
const nothingSaid: Partial<AttemptEvidence> = { exitCode: 1, result: undefined };
const killed: Partial<AttemptEvidence> = { exitCode: 137, signal: "SIGKILL", result: undefined };

const wrappedUp = (resetsAt: number | undefined): TranscriptEnding => ({
  ...answered,
  finalError: { kind: "limit", resetsAt, behind: "wrap-up" },
});

const limitedSubagent = (limit: { resetsAt: number | undefined; of?: "model" }): TranscriptEnding => ({
  ...answered,
  finalError: { kind: "limit", ...limit, behind: "subagent" },
});

describe("how an attempt ended", () => {
  test.each<[what: string, evidence: Partial<AttemptEvidence>, end: AttemptEnd]>([
    ["done, with answers in the transcript", {}, { kind: "finished" }],
    ["done, then an error on exit", { exitCode: 1 }, { kind: "finished" }],
    [
      "done, but died before writing its last answer",
      { exitCode: 1, ending: { ...answered, midTurn: true } },
      { kind: "empty" },
    ],
    ["done without an answer", { ending: silent }, { kind: "empty" }],
    ["done without a transcript", { ending: undefined }, { kind: "empty" }],
    ["exit 0 without a result", { result: undefined }, { kind: "empty" }],
    ["done after an error from which it recovered", { failure: limitWords }, { kind: "finished" }],
    ["turns used up", { exitCode: 1, result: { ...failed, subtype: "error_max_turns" } }, { kind: "turns" }],
    ["turns used up, as 2.1.36 reports it", { result: { ...success, subtype: "error_max_turns" } }, { kind: "turns" }],
    ["budget used up", { exitCode: 1, result: { ...failed, subtype: "error_max_budget_usd" } }, { kind: "budget" }],
    [
      "a limit with a reset in its text",
      { exitCode: 1, result: failed, failure: limitWords },
      { kind: "limit", resetsAt: Date.parse("2026-11-16T14:50:00Z") },
    ],
    [
      "a limit with a reset in an event",
      { exitCode: 1, result: failed, failure: limitWords, limitResetsAt: now + 5 },
      { kind: "limit", resetsAt: now + 5 },
    ],
    [
      "a limit with a reset in a field",
      { exitCode: 1, result: failed, failure: { ...limitWords, quotaResetsAt: now + 9 }, limitResetsAt: now + 5 },
      { kind: "limit", resetsAt: now + 9 },
    ],
    [
      "a limit without a reset",
      { exitCode: 1, result: failed, failure: { ...limitWords, text: "You've hit your limit" } },
      { kind: "limit", resetsAt: null },
    ],
    ["an API key that sends requests too fast", { exitCode: 1, result: failed, failure: keyLimit }, { kind: "server" }],
    [
      "a limit that only the transcript contains",
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
      "another error",
      { exitCode: 1, result: failed, failure: { ...facts, status: 400, text: "API Error: 400" } },
      { kind: "error" },
    ],
    ["killed", killed, { kind: "crash" }],
    ["exit 1 in the middle", nothingSaid, { kind: "crash" }],
    ["exit 1 before the session started", { ...nothingSaid, began: false }, { kind: "refused" }],
    [
      "an error of the client before the first turn",
      { exitCode: 1, result: { ...failed, subtype: "error_during_execution", turns: 0 } },
      { kind: "refused" },
    ],
    [
      "an error of the client later",
      { exitCode: 1, result: { ...failed, subtype: "error_during_execution", turns: 1 } },
      { kind: "crash" },
    ],
    [
      "an API key that sends requests too fast, with a reset",
      { exitCode: 1, result: failed, failure: { ...keyLimit, quotaResetsAt: now + 9 } },
      { kind: "limit", resetsAt: now + 9 },
    ],
    [
      "killed while recovering from an error",
      { ...killed, failure: { ...facts, error: "authentication_failed" } },
      { kind: "crash" },
    ],
    [
      "neither an error nor a success",
      { result: { ...success, subtype: "error_during_execution" } },
      { kind: "empty" },
    ],
    ["killed before the session started", { ...killed, began: false }, { kind: "crash" }],
    ["killed after its result", { exitCode: 137, signal: "SIGKILL" }, { kind: "crash" }],
    ["terminated after its result", { exitCode: 143, signal: "SIGTERM", pending: ["make"] }, { kind: "crash" }],
    ["killed after an empty result", { ...killed, result: { ...success, hasAnswer: false } }, { kind: "crash" }],
    [
      "killed after it reported a limit",
      { ...killed, result: failed, failure: { ...limitWords, quotaResetsAt: now + 9 } },
      { kind: "limit", resetsAt: now + 9 },
    ],
    ["done while background tasks were running", { pending: ["make"] }, { kind: "unfinished" }],
    ["stopped at the prompt by a hook", { hookReason: "No.", ending: silent }, { kind: "hook" }],
    ["done, although a hook stopped a later prompt", { hookReason: "No." }, { kind: "finished" }],
    [
      "wrapped up near the limit, with the reset in the stream",
      { ending: wrappedUp(now + 9), usageResetsAt: now + 5 },
      { kind: "limit", resetsAt: now + 5, behind: "wrap-up" },
    ],
    [
      "wrapped up near the limit, with a reset that the account is known to have",
      { ending: wrappedUp(now + 9) },
      { kind: "limit", resetsAt: now + 9, behind: "wrap-up" },
    ],
    [
      "wrapped up near the limit, with an unknown reset",
      { ending: wrappedUp(undefined) },
      { kind: "limit", resetsAt: null, behind: "wrap-up" },
    ],
    [
      "a subagent that reached a limit, with the reset of the stream",
      { ending: limitedSubagent({ resetsAt: now + 9 }), limitResetsAt: now + 5, usageResetsAt: now + 7 },
      { kind: "limit", resetsAt: now + 5, behind: "subagent" },
    ],
    [
      "a subagent that reached a limit, with the reset of its transcript",
      { ending: limitedSubagent({ resetsAt: now + 9 }), usageResetsAt: now + 7 },
      { kind: "limit", resetsAt: now + 9, behind: "subagent" },
    ],
    [
      "a subagent that reached the limit of its model, without a reset",
      { ending: limitedSubagent({ resetsAt: undefined, of: "model" }) },
      { kind: "limit", resetsAt: null, of: "model", behind: "subagent" },
    ],
  ])("%s", (_, evidence, end) => {
    expect(readAttemptEnd({ ...finished, ...evidence }, clock)).toEqual(end);
  });
});

describe("what Claude's reason means", () => {
  const completed = { terminalReason: "completed", stopReason: "end_turn" };
  test.each<[reasons: Partial<StreamResult>, end: AttemptEnd["kind"], reason: string | undefined]>([
    [completed, "finished", undefined],
    [{ terminalReason: undefined, stopReason: undefined }, "finished", undefined],
    [{ ...completed, stopReason: "stop_sequence" }, "finished", undefined],
    [{ ...completed, terminalReason: "stop_hook_prevented" }, "finished", undefined],
    [{ ...completed, stopReason: "pause_turn" }, "unfinished", "stop_reason pause_turn"],
    [{ ...completed, stopReason: "max_tokens" }, "unfinished", "stop_reason max_tokens"],
    [{ ...completed, stopReason: "tool_use" }, "unfinished", "stop_reason tool_use"],
    [{ ...completed, stopReason: "of a later version" }, "unfinished", "stop_reason of a later version"],
    [{ ...completed, terminalReason: "of_a_later_version" }, "unfinished", "terminal_reason of_a_later_version"],
    [{ ...completed, terminalReason: "aborted_streaming" }, "unfinished", "terminal_reason aborted_streaming"],
    [{ ...completed, terminalReason: "api_error" }, "unfinished", "terminal_reason api_error"],
    [{ ...completed, text: "", hasAnswer: false }, "unfinished", "without an answer"],
    [{ ...completed, text: "No.", stopReason: "refusal" }, "refusal", "No."],
    [{ ...completed, stopReason: "model_context_window_exceeded" }, "overload", undefined],
    [{ terminalReason: "hook_stopped", stopReason: "tool_use", hasAnswer: false }, "hook", "Enough."],
    [{ terminalReason: "tool_deferred", deferred: { name: "Bash", input: { command: "ls" } } }, "deferred", "Bash: ls"],
    [{ terminalReason: "tool_deferred", deferred: { name: "Bash", input: {} } }, "deferred", "Bash"],
    [{ ...completed, terminalReason: "blocking_limit" }, "overload", undefined],
    [{ ...completed, terminalReason: "max_turns" }, "turns", undefined],
    [{ ...completed, terminalReason: "budget_exhausted" }, "budget", undefined],
  ])("%p: %s", (reasons, kind, reason) => {
    const evidence = {
      ...finished,
      result: { ...success, ...reasons },
      ending: { ...answered, hookReason: "Enough." },
    };
    const end = readAttemptEnd(evidence, clock);
    expect(end.kind).toBe(kind);
    expect(explainAttemptEnd(end, evidence)).toBe(reason);
  });

  test.each<[text: string, more: Partial<StreamResult>, end: AttemptEnd["kind"]]>([
    ["API Error: Claude's response exceeded the 32000 output token maximum.", {}, "unfinished"],
    ["API Error: The model has reached its context window limit.", {}, "overload"],
    ["The model's tool call could not be parsed (retry also failed).", {}, "unfinished"],
    ["API Error: Claude Code is unable to respond to this request, which", {}, "refusal"],
    ["API Error: Sonnet's safeguards flagged this message", { stopReason: "refusal" }, "refusal"],
    ["You've hit your limit", { terminalReason: "of_a_later_version" }, "limit"],
    ["API Error: 400 Bad request", { terminalReason: "api_error" }, "error"],
    ["API Error: 400 Bad request", {}, "error"],
  ])("an error %p with %p: %s", (text, more, kind) => {
    const result = { ...failed, text, stopReason: "stop_sequence", ...more };
    const evidence = { ...finished, exitCode: 1, result, failure: { ...facts, text } };
    const end = readAttemptEnd(evidence, clock);
    expect(end.kind).toBe(kind);
    if (kind === "unfinished" || kind === "refusal") expect(explainAttemptEnd(end, evidence)).toBe(text);
  });
});

test("ignores limits that the model only talks about, in the stream and in the transcript", () => {
  const line = {
    type: "assistant",
    timestamp: new Date(now).toISOString(),
    message: { model: "claude", content: [{ type: "text", text: "You've hit your limit · resets 10pm (UTC)" }] },
  };
  expect(readStreamLine(JSON.stringify(line)).map(({ kind }) => kind)).toEqual(["text"]);
  expect(readEnding([JSON.stringify(line)], now - 1, clock)).toMatchObject({ finalError: undefined, answered: true });
});

test("never throws, for any stream line and any evidence", () => {
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
      expect(readAttemptEnd({ ...finished, exitCode, failure, result }, clock).kind).toBeString();
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

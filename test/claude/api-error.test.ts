import { describe, expect, test } from "bun:test";
import { classifyError, type ErrorFacts } from "../../src/claude/api-error.ts";
import type { FinalError } from "../../src/core/final-error.ts";

const clock = { now: 1_000, zone: "UTC", parseReset: (text: string) => (text.includes("resets") ? 7_000 : undefined) };
const silent: ErrorFacts = {
  error: undefined,
  status: undefined,
  details: undefined,
  quotaResetsAt: undefined,
  text: "",
};
const classify = (facts: Partial<ErrorFacts>): FinalError => classifyError({ ...silent, ...facts }, clock);
const kindOf = (facts: Partial<ErrorFacts>): string => classify(facts).kind;

describe("by the client's fields alone", () => {
  test.each<[facts: Partial<ErrorFacts>, kind: string]>([
    [{ error: "authentication_failed" }, "authentication"],
    [{ error: "oauth_org_not_allowed" }, "authentication"],
    [{ error: "account_on_hold" }, "authentication"],
    [{ error: "verification_required" }, "authentication"],
    [{ error: "cloud_credential_error" }, "authentication"],
    [{ status: 401 }, "authentication"],
    [{ error: "billing_error" }, "billing"],
    [{ error: "rate_limit" }, "limit"],
    [{ status: 429 }, "limit"],
    [{ error: "server_error" }, "server"],
    [{ error: "overloaded" }, "server"],
    [{ status: 500 }, "server"],
    [{ status: 529 }, "server"],
    [{ status: 499 }, "other"],
    [{ status: 403 }, "other"],
    [{ details: "400 prompt is too long: 210000 tokens > 200000 maximum" }, "too-long"],
    [{}, "other"],
  ])("%p is %s", (facts, kind) => {
    expect(kindOf(facts)).toBe(kind);
  });
});

describe("by the client's words, where a version has no field for it", () => {
  test.each<[text: string, kind: string]>([
    ["Prompt is too long", "too-long"],
    ["Conversation too long. Press esc twice to go up a few messages", "too-long"],
    ["Error during compaction: Error: Conversation too long", "too-long"],
    ["Credit balance is too low", "billing"],
    ["Invalid API key · Please run /login", "authentication"],
    ["Not logged in · Please run /login", "authentication"],
    ["Please run /login · API Error: 403", "authentication"],
    ["Failed to authenticate. API Error: 401", "authentication"],
    ["API Error: 401 Unauthorized", "authentication"],
    ["You've hit your weekly limit · resets 2am", "limit"],
    ["Session limit reached ∙ resets 2am", "limit"],
    ["Weekly limit reached ∙ resets 2am", "limit"],
    ["Spending cap reached resets 2am", "limit"],
    ["Claude AI usage limit reached|1794844800", "limit"],
    ["API Error: 429 slow down", "limit"],
    ["API Error: 500 Internal server error", "server"],
    ["API Error: 529 Overloaded", "server"],
    ["API Error: terminated", "server"],
    ["API Error: The socket connection was closed unexpectedly", "server"],
    ["API Error: Connection error.", "server"],
    ["API Error: Request timed out.", "server"],
    ["API Error: Unable to connect to API (ECONNREFUSED)", "server"],
    ["API Error: fetch failed", "server"],
    ["API Error: 400 something else", "other"],
  ])("%p is %s", (text, kind) => {
    expect(kindOf({ text })).toBe(kind);
  });
});

test("words that stand further back are somebody else's", () => {
  const quotes = [
    "You've hit your limit",
    "Prompt is too long",
    "Credit balance is too low",
    "Not logged in",
    "API Error: 529",
  ];
  for (const quoted of quotes) expect(kindOf({ text: `The tool said: ${quoted}` })).toBe("other");
});

test("where two could be meant, what a wait does not help comes first", () => {
  expect(kindOf({ status: 401, error: "billing_error" })).toBe("billing");
  expect(kindOf({ status: 429, text: "Credit balance is too low" })).toBe("billing");
  expect(kindOf({ status: 429, error: "authentication_failed" })).toBe("authentication");
  expect(kindOf({ status: 429, text: "Prompt is too long" })).toBe("too-long");
  expect(kindOf({ status: 529, error: "rate_limit" })).toBe("limit");
});

test("a limit ends when its field says so, else when its words do", () => {
  const text = "You've hit your limit · resets 2am";
  expect(classify({ text, quotaResetsAt: 9_000 })).toEqual({ kind: "limit", resetsAt: 9_000 });
  expect(classify({ text })).toEqual({ kind: "limit", resetsAt: 7_000 });
  expect(classify({ text: "You've hit your limit" })).toEqual({ kind: "limit", resetsAt: undefined });
});

test("how much the model takes stands in the details, or in the words", () => {
  const said = "prompt is too long: 210000 tokens > 200000 maximum";
  expect(classify({ text: "Prompt is too long", details: said })).toEqual({ kind: "too-long", maximum: 200_000 });
  expect(classify({ text: said })).toEqual({ kind: "too-long", maximum: 200_000 });
});

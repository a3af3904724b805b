import { describe, expect, test } from "bun:test";
import { classifyError, type ErrorFacts } from "../../../src/claude/limits/api-error.ts";
import type { FinalError } from "../../../src/core/restart/final-error.ts";

const clock = { now: 1_000, zone: "UTC", latestReset: 8_000_000, latestSpendReset: 9_000_000 };
const silent: ErrorFacts = {
  error: undefined,
  status: undefined,
  details: undefined,
  quotaResetsAt: undefined,
  text: "",
};
const classify = (facts: Partial<ErrorFacts>): FinalError => classifyError({ ...silent, ...facts }, clock);
const kindOf = (facts: Partial<ErrorFacts>): string => classify(facts).kind;

describe("classifies an error by its fields alone", () => {
  test.each<[facts: Partial<ErrorFacts>, kind: string]>([
    [{ error: "authentication_failed" }, "authentication"],
    [{ error: "oauth_org_not_allowed" }, "authentication"],
    [{ error: "account_on_hold" }, "permission"],
    [{ error: "verification_required" }, "permission"],
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
    [{ status: 403 }, "permission"],
    [{ status: 403, error: "authentication_failed" }, "permission"],
    [{ status: 408 }, "server"],
    [{ details: "400 prompt is too long: 210000 tokens > 200000 maximum" }, "too-long"],
    [{}, "other"],
  ])("%p is %s", (facts, kind) => {
    expect(kindOf(facts)).toBe(kind);
  });
});

test("an unknown text is another error", () => {
  expect(kindOf({ text: "API Error: 400 something else" })).toBe("other");
});

test("prefers the error that waiting cannot fix when two match", () => {
  expect(kindOf({ status: 401, error: "billing_error" })).toBe("billing");
  expect(kindOf({ status: 429, text: "Credit balance is too low" })).toBe("billing");
  expect(kindOf({ status: 429, error: "authentication_failed" })).toBe("authentication");
  expect(kindOf({ status: 429, text: "Prompt is too long" })).toBe("too-long");
  expect(kindOf({ status: 529, error: "rate_limit" })).toBe("limit");
});

test("takes the reset from the field, otherwise from the text", () => {
  const text = "You've hit your limit · resets 2am";
  expect(classify({ text, quotaResetsAt: 9_000 })).toEqual({ kind: "limit", resetsAt: 9_000 });
  expect(classify({ text })).toEqual({ kind: "limit", resetsAt: 2 * 3_600_000 });
  expect(classify({ text: "You've hit your limit" })).toEqual({ kind: "limit", resetsAt: undefined });
});

test("a login that was revoked is a matter of authentication, although the API answers 403", () => {
  const revoked = "Failed to authenticate: OAuth token revoked. Please log in again or contact your administrator.";
  expect(kindOf({ status: 403, error: "authentication_failed", text: revoked })).toBe("authentication");
});

test("a rate limit of an API key is a failure of the API, unless it states a reset", () => {
  const text = "API Error: Request rejected (429) · Number of request tokens has exceeded your rate limit";
  const fields = { status: 429, error: "rate_limit" };
  expect(classify({ ...fields, text })).toEqual({ kind: "server" });
  const inAMinute = { kind: "limit", resetsAt: 61_000 } as const;
  expect(classify({ ...fields, text: `${text}. Please try again in 1 minute.` })).toEqual(inAMinute);
  expect(classify({ text: 'API Error: 429 {"message":"Please try again in 1 minute."}' })).toEqual(inAMinute);
  expect(classify({ ...fields, text, streamResetsAt: 61_000 })).toEqual(inAMinute);
});

test("a spend limit may reset later than a usage limit", () => {
  const resetsAt = clock.latestReset + 1;
  const spent = "You've hit your org's monthly spend limit";
  expect(classify({ text: spent, quotaResetsAt: resetsAt })).toEqual({ kind: "limit", of: "spend", resetsAt });
  expect(classify({ text: spent, quotaResetsAt: clock.latestSpendReset + 1 })).toMatchObject({ resetsAt: undefined });
  expect(classify({ text: "You've hit your limit", quotaResetsAt: resetsAt })).toMatchObject({ resetsAt: undefined });
});

test("reads the maximum number of tokens from the details or the text", () => {
  const said = "prompt is too long: 210000 tokens > 200000 maximum";
  expect(classify({ text: "Prompt is too long", details: said })).toEqual({ kind: "too-long", maximum: 200_000 });
  expect(classify({ text: said })).toEqual({ kind: "too-long", maximum: 200_000 });
});

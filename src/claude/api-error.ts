import type { FinalError } from "../core/final-error.ts";

/** What the client wrote down about an error. Only lines that the client itself marks as errors get here. */
export interface ErrorFacts {
  readonly error: string | undefined;
  readonly status: number | undefined;
  readonly details: string | undefined;
  /** Milliseconds since 1970; since 2.1.238. */
  readonly quotaResetsAt: number | undefined;
  readonly text: string;
}

export interface Clock {
  readonly now: number;
  /** For reset times without a zone, as before 2.1. */
  readonly zone: string;
  /** Reads the reset time out of the client's words. */
  readonly parseReset: (text: string, now: number, zone: string) => number | undefined;
}

/** Fields first; words only where the client's version has no field for it. */
export function classifyError(facts: ErrorFacts, clock: Clock): FinalError {
  const { error, status, text, quotaResetsAt } = facts;
  if (isTooLong(facts)) return { kind: "too-long", maximum: maximumIn(facts.details ?? text) };
  if (error === "billing_error" || text.startsWith("Credit balance is too low")) return { kind: "billing" };
  if (isAuthentication(facts)) return { kind: "authentication" };
  if (error === "rate_limit" || status === 429 || saysLimit(text)) {
    return { kind: "limit", resetsAt: quotaResetsAt ?? clock.parseReset(text, clock.now, clock.zone) };
  }
  return isServerTrouble(facts) ? { kind: "server" } : { kind: "other" };
}

const isTooLong = ({ text, details }: ErrorFacts): boolean =>
  /^(Prompt is too long|Conversation too long|Error during compaction)/i.test(text) ||
  /prompt is too long: \d+ tokens/.test(details ?? "");

function maximumIn(text: string): number | undefined {
  const maximum = /\d+ tokens > (\d+) maximum/.exec(text)?.[1];
  return maximum === undefined ? undefined : Number(maximum);
}

const accountErrors = new Set([
  "authentication_failed",
  "oauth_org_not_allowed",
  "account_on_hold",
  "verification_required",
  "cloud_credential_error",
]);

const isAuthentication = ({ error, status, text }: ErrorFacts): boolean =>
  (error !== undefined && accountErrors.has(error)) ||
  status === 401 ||
  /^(Invalid API key|Not logged in|Please run \/login|Failed to authenticate|API Error: 401\b)/.test(text);

const saysLimit = (text: string): boolean =>
  /^(You've hit your .*limit|Session limit reached|Weekly limit reached|Spending cap reached|Claude AI usage limit reached|API Error: 429\b)/.test(
    text,
  );

const isServerTrouble = ({ error, status, text }: ErrorFacts): boolean =>
  error === "server_error" ||
  error === "overloaded" ||
  (status !== undefined && status >= 500) ||
  /^API Error: (5\d\d\b|terminated|The socket connection|Connection|Request timed out|Unable to connect|fetch failed)/.test(
    text,
  );

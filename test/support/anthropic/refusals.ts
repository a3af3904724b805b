// Refusals that a test words itself, for the many ways in which the API and gateways refuse.
import type { Answer, Reply } from "./replies.ts";

type HeaderFields = Readonly<Record<string, string>>;

export const refuses = (status: number, type: string, message: string, headers: HeaderFields = {}): Answer => ({
  kind: "failure",
  status,
  type,
  message,
  headers,
});

/** `anthropic-ratelimit-unified-*` headers. */
export const unified = (fields: HeaderFields): HeaderFields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`anthropic-ratelimit-unified-${name}`, value]));

/** A subscriber whose usage credits are used up; no reset is stated. */
export const outOfCredits: Answer = refuses(
  429,
  "rate_limit_error",
  "no",
  unified({ status: "rejected", "overage-status": "rejected", "overage-disabled-reason": "out_of_credits" }),
);

/** The spend limit of an API customer. The API states the time without seconds. */
export const regainAccess = (at: Date): Answer => {
  const [date, time] = at.toISOString().split("T");
  const access = `You will regain access on ${date} at ${time?.slice(0, 5)} UTC.`;
  return refuses(400, "invalid_request_error", `You have reached your specified API usage limits. ${access}`);
};

/** Refuses, however often the client repeats its request, until a resumed conversation arrives. */
export const refusesUntilRestored =
  (refusal: Reply, restoredHeader: string, then: Reply): Reply =>
  (request) =>
    request.conversationText.includes(restoredHeader) ? then : refusal;

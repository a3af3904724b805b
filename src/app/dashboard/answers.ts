import type { Refusal } from "../../core/dashboard/contract.ts";
import { Failure, type FailureKind } from "../../core/failure.ts";
import { messageOf } from "../../core/message-of.ts";

/** Only our own files run or load, the page talks only to us, and no other page can show it in a frame. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const guards: Readonly<Record<string, string>> = {
  "content-security-policy": contentPolicy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

export function answer(
  body: Bun.BodyInit | null,
  {
    status = 200,
    type = "text/plain;charset=utf-8",
    ...headers
  }: { status?: number; type?: string } & Record<string, string | number | undefined> = {},
): Response {
  const more = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return new Response(body, {
    status,
    headers: { "content-type": type, "cache-control": "no-store", ...guards, ...Object.fromEntries(more) },
  });
}

export const json = (value: unknown, status = 200): Response =>
  answer(JSON.stringify(value), { status, type: "application/json" });

export const refuse = (status: number, error: string, hint: string | null = null): Response =>
  json({ error, hint } satisfies Refusal, status);

const statuses: Partial<Record<FailureKind, number>> = {
  usage: 400,
  "not-found": 404,
  locked: 409,
  authentication: 403,
};

/** An error in words for the user. */
export const refuseFailure = (error: unknown): Response =>
  error instanceof Failure
    ? refuse(statuses[error.kind] ?? 500, error.message, error.hint ?? null)
    : refuse(500, messageOf(error));

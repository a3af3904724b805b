import type { Refusal } from "../../core/dashboard/contract.ts";

/** An answer that is not the wanted one, in words for the user. */
export class ApiError extends Error {
  readonly status: number;
  readonly hint: string | null;

  constructor(status: number, { error, hint }: Refusal) {
    super(error);
    this.status = status;
    this.hint = hint;
  }
}

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> => call<T>(path, { signal: signal ?? null });

export const post = <T>(path: string, body: object = {}): Promise<T> =>
  call<T>(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

async function call<T>(path: string, options: RequestInit): Promise<T> {
  const response = await fetch(`/api/${path}`, options);
  if (response.ok) return (await response.json()) as T;
  const refusal = (await response.json().catch(() => undefined)) as Refusal | undefined;
  const needsLink = { error: "This page needs a new link", hint: "Run: ai-runtime dashboard" };
  throw new ApiError(
    response.status,
    refusal ?? (response.status === 401 ? needsLink : { error: `the server answered ${response.status}`, hint: null }),
  );
}

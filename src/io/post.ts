import { messageOf } from "../core/message-of.ts";

export type PostEnd =
  { readonly kind: "answered"; readonly status: number } | { readonly kind: "failed"; readonly message: string };

/** Sends a body and looks only at the status of the reply, however large the reply is. */
export async function post(
  url: URL,
  { body, headers, milliseconds }: { body: string; headers: Readonly<Record<string, string>>; milliseconds: number },
): Promise<PostEnd> {
  try {
    const signal = AbortSignal.timeout(milliseconds);
    // A redirect could carry the headers to another host.
    const response = await fetch(url, { method: "POST", body, headers, signal, redirect: "manual" });
    await response.body?.cancel();
    return { kind: "answered", status: response.status };
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    return { kind: "failed", message: isLate ? `no answer within ${milliseconds / 1_000} s` : messageOf(error) };
  }
}

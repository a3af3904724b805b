import type { Signal } from "../../core/restart/signal.ts";
import type { StreamEvent } from "./stream.ts";

export type OwnRetry =
  | Extract<Signal, { kind: "retrying" | "answered" }>
  /** The client retries a 429 without a reset, and would do so forever. Only the error that it hides says what helps. */
  | { readonly kind: "endless" };

/** A 429 without a reset may be over after a moment; this many retries take about four seconds. */
export const maxRetriesWithoutReset = 3;

/**
 * Tells from the stream when the client waits inside its process. 2.1.326 reports the limit and then its retry; 2.1.197 reports
 * only the retry, which is for a limit when it comes later than the usual backoff.
 */
export class OwnRetries {
  readonly #isSwitchedOn: boolean;
  #limit: Extract<StreamEvent, { kind: "limit" }> | undefined;
  #waitsFor: "limit" | "server" | undefined;

  /** `isSwitchedOn`: the client's retry watchdog is on, so a retry may wait for a limit, and has no last attempt. */
  constructor(isSwitchedOn: boolean) {
    this.#isSwitchedOn = isSwitchedOn;
  }

  get waitsFor(): "limit" | "server" | undefined {
    return this.#waitsFor;
  }

  /** It waits for the limit of the whole plan, as far as the stream says. */
  get isAtPlanLimit(): boolean {
    return this.#waitsFor === "limit" && this.#limit?.isOfPlan === true;
  }

  /** `now`: milliseconds since 1970. */
  take(event: StreamEvent, now: number): OwnRetry | undefined {
    switch (event.kind) {
      case "limit":
        this.#limit = event;
        return undefined;
      case "retry":
        return this.#retry(event, now);
      case "text":
      case "tool": {
        const hasWaited = this.#waitsFor !== undefined;
        this.#limit = undefined;
        this.#waitsFor = undefined;
        return hasWaited ? { kind: "answered" } : undefined;
      }
      default:
        return undefined;
    }
  }

  #retry(event: Extract<StreamEvent, { kind: "retry" }>, now: number): OwnRetry | undefined {
    const { attempt, maxRetries, delay, status } = event;
    const statesReset = status === 429 && this.#isSwitchedOn && delay > longestBackoffMs(attempt);
    const resetsAt = this.#limit?.resetsAt ?? (statesReset ? now + delay : undefined);
    if (resetsAt !== undefined) {
      this.#waitsFor = "limit";
      return { kind: "retrying", why: "limit", until: resetsAt };
    }
    if (status === 429 && this.#isSwitchedOn && attempt > maxRetriesWithoutReset) return { kind: "endless" };
    // Within its usual attempts the client is only slow.
    if (!this.#isSwitchedOn || attempt <= maxRetries) return undefined;
    this.#waitsFor = "server";
    return { kind: "retrying", why: "server", until: now + delay };
  }
}

/** The client waits half a second, then twice as long each time, and up to a quarter more. */
const longestBackoffMs = (attempt: number): number => Math.min(625 * 2 ** (attempt - 1), maxBackoffMs);
const maxBackoffMs = 300_000 * 1.25;

import type { Phase } from "../run/run-record.ts";

/** What the local record says when its supervisor has ended. */
export interface SettledRun {
  readonly phase: Phase;
  readonly cause: string | null;
  /** When the limit resets, in milliseconds from now; null when it is not known. */
  readonly resetsInMs: number | null;
  /** Releases in a row that were not for a limit. */
  readonly failures: number;
}

export type Settlement =
  | { readonly kind: "finish"; readonly state: "done" | "failed" | "stopped" }
  /** `ofAccount`: workers with another account need not wait. */
  | {
      readonly kind: "release";
      readonly state: "queued" | "waiting";
      readonly delayMs: number;
      readonly ofAccount: boolean;
      readonly failures: number;
    };

const maxFailures = 5;
const firstDelayMs = 5_000;
const unknownLimitMs = 3_600_000;
const accountTroubleMs = 600_000;

/** What becomes of a run of the fleet when its worker has nothing more to do for it. */
export function settleRun({ phase, cause, resetsInMs, failures }: SettledRun): Settlement {
  if (phase === "done" || phase === "stopped") return { kind: "finish", state: phase };
  if (cause === "limit") {
    const delayMs = Math.max(0, resetsInMs ?? unknownLimitMs);
    return { kind: "release", state: "waiting", delayMs, ofAccount: true, failures };
  }
  // The worker ends: the run did nothing wrong.
  if (phase === "paused" && (cause === "shutdown" || cause === "interrupted")) return releaseAfter(0, failures);
  if (failures + 1 >= maxFailures) return { kind: "finish", state: "failed" };
  if (cause === "authentication" || cause === "billing") {
    const waits = { state: "waiting", delayMs: accountTroubleMs, ofAccount: true } as const;
    return { kind: "release", ...waits, failures: failures + 1 };
  }
  // Claude itself ended it, and would do so again.
  if (phase === "failed" && cause !== "server" && cause !== "crash") return { kind: "finish", state: "failed" };
  return releaseAfter(retryDelay(failures), failures + 1);
}

/**
 * A worker that could not even start the run, or not record its end: another one may be able to. `isOfRun`: the run may be the
 * reason, so it does not go on forever.
 */
export function settleUnstarted(failures: number, isOfRun: boolean): Settlement {
  if (!isOfRun) return releaseAfter(0, failures);
  if (failures + 1 >= maxFailures) return { kind: "finish", state: "failed" };
  return releaseAfter(retryDelay(failures), failures + 1);
}

const retryDelay = (failures: number): number => firstDelayMs * 2 ** failures;

const releaseAfter = (delayMs: number, failures: number): Settlement => ({
  kind: "release",
  state: "queued",
  delayMs,
  ofAccount: false,
  failures,
});

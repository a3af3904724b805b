import type { Phase } from "../run/run-record.ts";
import type { NotifyEvent } from "./notification.ts";

interface RunMoment {
  readonly phase: Phase;
  readonly cause: string | null;
}

export interface RunNews {
  readonly event: NotifyEvent;
  readonly cause: string | null;
}

/** Trouble that was tried again until the rules said stop. */
const repeatedTrouble = new Set(["crash", "server", "limit", "empty", "unfinished", "overload", "no-restore-point"]);

/**
 * What the user is told when a run changes. `wasLimited`: the user was told of a limit since the last "resumed". What the user or
 * a shutdown did to the run is no news.
 */
export function newsOfRun(before: RunMoment, after: RunMoment, wasLimited: boolean): RunNews | undefined {
  if (after.phase === before.phase) return undefined;
  switch (after.phase) {
    case "waiting-limit":
      return { event: "limit", cause: null };
    case "working":
      return wasLimited ? { event: "resumed", cause: null } : undefined;
    case "done":
      return { event: "done", cause: null };
    case "failed":
      return { event: repeatedTrouble.has(after.cause ?? "") ? "gave-up" : "failed", cause: after.cause };
    case "paused":
      return after.cause === "limit" ? { event: "limit", cause: null } : undefined;
    default:
      return undefined;
  }
}

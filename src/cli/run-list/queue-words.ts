import type { QueuedRun } from "../../app/queue/view-queue.ts";
import { formatClock, formatDuration } from "../format.ts";
import { shortId } from "./state-words.ts";

/** What a queued run waits for. */
export function describeWait(
  { wait, entry }: Pick<QueuedRun, "wait" | "entry">,
  isPaused: boolean,
  now: number,
): string {
  const moment = (until: number): string => `${formatClock(until, now)} (${formatDuration(until - now)})`;
  switch (wait?.kind) {
    case "time":
      return moment(wait.until);
    case "limit":
      return `quota → ${moment(wait.until)}`;
    case "run":
      return `run ${shortId(wait.run)}${entry.after?.success ? " to succeed" : ""}`;
    case "turn":
      return "its turn";
    case "paused":
      return "queue paused";
    case "account":
      return "its account's variables";
    case undefined:
      return isPaused ? "queue paused" : "starts now";
  }
}

/** `queue list --json`: see docs/JSON.md. */
export function jsonOfQueued({ entry, plan, wait }: QueuedRun, position: number): object {
  return {
    position,
    id: entry.id,
    task: plan.task,
    cwd: plan.cwd,
    session: plan.sessionId,
    priority: entry.priority,
    at: iso(entry.at),
    whenAvailable: entry.whenAvailable,
    after: entry.after?.run ?? null,
    afterSuccess: entry.after?.success ?? false,
    deadline: iso(entry.deadline),
    maxParallel: entry.maxParallel,
    waitsFor: wait?.kind ?? null,
    until: wait && "until" in wait ? iso(wait.until) : null,
  };
}

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

import type { ListedRun } from "../../app/run-records/list-runs.ts";
import type { HoldCause } from "../../core/host/continuation.ts";
import type { HostedState } from "../../core/host/hosted-state.ts";
import type { RunKind, RunStatus } from "../../core/run/run-record.ts";
import { formatClock, formatDuration } from "../format.ts";

export { shortId } from "../messages/leave-hosted.ts";

/** The state of a run: what its Claude is doing when a host shows it, else what its supervisor recorded. */
export function describeState({ record: { plan, status }, died, lost, hosted }: ListedRun, now: number): string {
  if (lost === true) return "lost: cannot be resumed";
  if (died) return "died";
  const isRetrying = hosted?.state.kind === "working" && status.phase === "backing-off";
  return hosted && !isRetrying ? describeHosted(hosted.state, now) : describePhase(status, plan.kind, now);
}

export function describePhase(status: RunStatus, kind: RunKind, now: number): string {
  const { phase, until, cause } = status;
  if (phase === "queued") return until !== null && until > now ? `queued → ${formatClock(until, now)}` : "queued";
  if (phase === "waiting-limit") return describeLimit(until, cause, now);
  if (phase === "backing-off" && until !== null) {
    const isClaudeAlive = kind !== "headless" || status.claudeWaits === true;
    return `${isClaudeAlive ? "API fails; retry" : "restart"} in ${formatDuration(until - now)}`;
  }
  return phase === "failed" || phase === "paused" ? `${phase}: ${cause ?? ""}` : phase;
}

export function describeHosted(state: HostedState, now: number): string {
  switch (state.kind) {
    case "asking":
      return state.about === "permission" ? "asking: permission" : "asking: question";
    case "limit":
      return describeLimit(state.until, state.held, now);
    case "context-full":
      return "context full";
    case "idle":
      return state.background ? "idle, background task" : "idle";
    case "working":
    case "ended":
      return state.kind;
  }
}

function describeLimit(until: number | null, cause: string | null, now: number): string {
  if (until !== null) return `limit → ${formatClock(until, now)} (${formatDuration(until - now)})`;
  return `limit: ${heldWords[cause ?? ""] ?? "waiting"}`;
}

/** Why a hosted claude does not continue after its limit. */
const heldWords: Readonly<Record<string, string>> = {
  canceled: "you canceled the wait",
  typing: "your text is at the prompt",
  "no-prompt": "no prompt on its screen",
  "gave-up": "it did not accept the continuation; attach to it",
} satisfies Record<HoldCause, string>;

/** When the state began, in milliseconds since 1970. */
export const stateSince = ({ record, hosted }: ListedRun): number => hosted?.since ?? record.status.since;

/** In its largest unit: `5m`, `2h`. */
export const roughDuration = (milliseconds: number): string => formatDuration(milliseconds).split(" ")[0] ?? "";

/** Claude's title, else the task in the user's words. */
export const titleOf = ({ record, title }: ListedRun): string => title ?? record.plan.task;

/** `~/shop` for a directory below the home directory. */
export const shortPath = (path: string, home: string): string =>
  path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

import type { HoldCause } from "../host/continuation.ts";
import type { HostedState } from "../host/hosted-state.ts";
import { hasEnded, type RunKind, type RunStatus } from "./run-record.ts";

/** Everything that tells what a run is doing. */
export interface RunState {
  readonly kind: RunKind;
  readonly status: RunStatus;
  /** Its supervisor died before the run ended. */
  readonly died: boolean;
  /** It died, and cannot be resumed. */
  readonly lost?: boolean | undefined;
  /** What its Claude is doing, while a host runs it. */
  readonly hosted: HostedState | undefined;
}

/** A state in words. The wait is apart from the words, because a list and a live page show it in different ways. */
export interface StateWords {
  readonly words: string;
  /** What ends at `until` (milliseconds since 1970): the time in the queue, the limit, or the pause before a retry. */
  readonly wait: { readonly for: "start" | "limit" | "retry"; readonly until: number } | null;
}

/** The state of a run: what its Claude is doing when a host shows it, else what its supervisor recorded. */
export function wordsOfRun({ kind, status, died, lost, hosted }: RunState): StateWords {
  if (lost === true) return plain("lost: cannot be resumed");
  if (died) return plain("died");
  const isRetrying = hosted?.kind === "working" && status.phase === "backing-off";
  return hosted && !isRetrying ? wordsOfHosted(hosted) : wordsOfPhase(status, kind);
}

export function wordsOfPhase(status: RunStatus, kind: RunKind): StateWords {
  const { phase, until, cause } = status;
  if (phase === "queued") return { words: "queued", wait: until === null ? null : { for: "start", until } };
  if (phase === "waiting-limit") return wordsOfLimit(until, cause);
  if (phase === "backing-off" && until !== null) {
    const isClaudeAlive = kind !== "headless" || status.claudeWaits === true;
    return { words: isClaudeAlive ? "API fails; retry" : "restart", wait: { for: "retry", until } };
  }
  return plain(phase === "failed" || phase === "paused" ? `${phase}: ${cause ?? ""}` : phase);
}

export function wordsOfHosted(state: HostedState): StateWords {
  switch (state.kind) {
    case "asking":
      return plain(state.about === "permission" ? "asking: permission" : "asking: question");
    case "limit":
      return wordsOfLimit(state.until, state.held);
    case "context-full":
      return plain("context full");
    case "idle":
      return plain(state.background ? "idle, background task" : "idle");
    case "working":
    case "ended":
      return plain(state.kind);
  }
}

const plain = (words: string): StateWords => ({ words, wait: null });

const wordsOfLimit = (until: number | null, cause: string | null): StateWords =>
  until === null
    ? plain(`limit: ${heldWords[cause ?? ""] ?? "waiting"}`)
    : { words: "limit", wait: { for: "limit", until } };

/** Why a hosted claude does not continue after its limit. */
const heldWords: Readonly<Record<string, string>> = {
  canceled: "you canceled the wait",
  typing: "your text is at the prompt",
  "no-prompt": "no prompt on its screen",
  "gave-up": "it did not accept the continuation; attach to it",
} satisfies Record<HoldCause, string>;

/** The last part of an id, which is enough to identify it. */
export const shortId = (id: string): string => id.slice(id.lastIndexOf("-") + 1);

/** The command that a user most likely wants next; empty when there is none. */
export function nextCommand(
  id: string,
  sessionId: string,
  { status, died }: Pick<RunState, "status" | "died">,
): string {
  if (died || status.phase === "paused") return `ai-runtime resume ${shortId(id)}`;
  if (!hasEnded(status.phase)) return `ai-runtime attach ${shortId(id)}`;
  return sessionId === "" ? "" : `cclaude --resume ${sessionId}`;
}

import { hasEnded } from "../run/run-record.ts";
import type { RunState } from "../run/state-words.ts";
import type { ServiceState } from "../service/service-state.ts";
import type { Card, Tone } from "./contract.ts";

const urgency: readonly Tone[] = ["ask", "bad", "wait", "busy", "idle", "done"];

/** Those that need the user first, then by urgency, then the newest change first. Ended ones come last, whatever their end was. */
export function orderCards(cards: readonly Card[]): Card[] {
  const rank = ({ tone, hasEnded }: Card): number => (hasEnded ? urgency.length : urgency.indexOf(tone));
  return [...cards].sort((a, b) => rank(a) - rank(b) || (b.since ?? 0) - (a.since ?? 0));
}

export function toneOfRun({ status, died, lost, hosted }: RunState): Tone {
  if (lost === true || died) return "bad";
  if (hosted) return tonesOfHosted[hosted.kind];
  switch (status.phase) {
    case "failed":
      return "bad";
    case "paused":
    case "queued":
      return "idle";
    case "waiting-limit":
    case "backing-off":
      return "wait";
    case "done":
    case "stopped":
      return "done";
    case "starting":
    case "working":
    case "recovering":
      return "busy";
  }
}

const tonesOfHosted = {
  asking: "ask",
  "context-full": "ask",
  limit: "wait",
  working: "busy",
  idle: "idle",
  ended: "done",
} as const;

export const toneOfService = ({ state }: ServiceState): Tone =>
  state === "running" ? "busy" : ["failed", "missing"].includes(state) ? "bad" : "idle";

/** It runs or waits, so that a stop has something to end. */
export const canStop = ({ status, died, lost }: RunState): boolean => !hasEnded(status.phase) && !died && lost !== true;

/** No process works on it, and it has not ended for good. */
export const canResume = ({ status, died, lost }: RunState): boolean =>
  lost !== true && (died || status.phase === "paused" || status.phase === "failed");

import type { EndReason } from "../restart/cause.ts";
import type { RunKind } from "./run-record.ts";

/** What is known about a session whose cclaude died. */
export interface OrphanEvidence {
  readonly kind: RunKind;
  /** Its claude outlived cclaude. */
  readonly isRunning: boolean;
  /** Another process has the conversation open. */
  readonly isOpen: boolean;
  /** A later host continued the conversation. */
  readonly isContinued: boolean;
  /** As its SessionEnd hook reported it; null without one. */
  readonly endReason: EndReason | null;
  /** The whole prompt is known, so the task can start from the beginning. */
  readonly hasPrompt: boolean;
  /** There is a transcript or a snapshot with words. */
  readonly hasConversation: boolean;
  /** Claude was working, or an error such as a limit ended its turn. */
  readonly isAtWork: boolean;
  /** Milliseconds since its last sign of life. */
  readonly age: number;
}

/**
 * `running`: its claude still works. `open`: another process continues the conversation. `over`: it ended in an orderly way, or
 * has no words. `lost`: it cannot be resumed. `idle`: Claude waited for the user. `work`: Claude had something to do.
 */
export type OrphanState = "running" | "open" | "over" | "lost" | "idle" | "work";

/** Claude deletes transcripts after 30 days, and the user has moved on. */
export const maxOrphanAgeMs = 30 * 86_400_000;

export function judgeOrphan(evidence: OrphanEvidence): OrphanState {
  const { kind, endReason, isAtWork } = evidence;
  if (evidence.isRunning) return "running";
  if (evidence.isOpen) return "open";
  if (evidence.isContinued || endReason === "left") return "over";
  if (evidence.age > maxOrphanAgeMs) return "lost";
  if (!evidence.hasConversation) {
    if (evidence.hasPrompt) return "work";
    return kind === "headless" ? "lost" : "over";
  }
  if (kind === "headless") return endReason !== null && !isAtWork ? "over" : "work";
  return isAtWork ? "work" : "idle";
}

export const canContinue = (state: OrphanState): boolean => state === "idle" || state === "work";

import { hasSnapshot } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { readTranscriptEnding } from "../session/transcript-end.ts";
import { bestEffort } from "../best-effort.ts";

/** Whether the session has a conversation that claude can resume. */
export function hasConversation(environment: Environment, sessionId: string): boolean {
  const path = findTranscript(environment, sessionId);
  return path !== undefined && (readTranscriptEnding(environment, path)?.spoken ?? false);
}

/** Whether an earlier attempt left a transcript, however short, or a snapshot of one that is gone. */
export function hasTraces(environment: Environment, sessionId: string): boolean {
  if (findTranscript(environment, sessionId) !== undefined) return true;
  return bestEffort(environment, () => hasSnapshot(environment.paths, sessionId), false);
}

import { viewSession } from "../store/session-view.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";
import { readTranscriptEnd } from "./gather-evidence.ts";
import { orElse } from "./or-else.ts";

/** Whether anything was said in it, so that claude can resume it. */
export function hasConversation(environment: Environment, sessionId: string): boolean {
  const path = findTranscript(environment, sessionId);
  return path !== undefined && (readTranscriptEnd(environment, path, 0)?.ending.spoken ?? false);
}

/** A conversation, what a claude left that died before it had one, or a snapshot of one that is gone. */
export function hasTraces(environment: Environment, sessionId: string): boolean {
  if (findTranscript(environment, sessionId) !== undefined) return true;
  return orElse(environment, () => viewSession(environment.paths, sessionId) !== "none", false);
}

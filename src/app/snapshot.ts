import { sideDirectory } from "../claude/paths.ts";
import { describeTail } from "../claude/transcript-tail.ts";
import type { Mark } from "../core/mark.ts";
import { copySideFiles } from "../store/side-files.ts";
import { beginGeneration, loadAndHeal } from "../store/generations.ts";
import { type Appended, appendSnapshot, continuesMirror, type MarkFacts } from "../store/snapshots.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";

export interface SnapshotRequest {
  sessionId: string;
  transcriptPath: string;
  cwd?: string | undefined;
  reason: string;
  lastMessage?: string | undefined;
}

const messageLength = 2_000;

/** The session's lock must be held. */
export function takeSnapshot({ paths, now }: Environment, request: SnapshotRequest): Appended {
  const { sessionId, transcriptPath, cwd, reason, lastMessage } = request;
  const appended = appendSnapshot(paths, sessionId, {
    transcriptPath,
    cwd,
    reason,
    now: now(),
    describe: (tail, previous) => describe(tail, previous, lastMessage),
  });
  if (appended.mark) copySideFiles(sideDirectory(transcriptPath), paths.sideFiles(sessionId));
  return appended;
}

/** Keeps what the transcript has beyond the last mark, if it still is the transcript that we copied. Lock held. */
export function catchUp(environment: Environment, sessionId: string, reason: string): void {
  const { state } = loadAndHeal(
    environment.paths,
    sessionId,
    findTranscript(environment, sessionId) ?? "",
    environment.now(),
  );
  if (!continuesMirror(environment.paths, state)) return;
  takeSnapshot(environment, { sessionId, transcriptPath: state.transcriptPath, reason });
}

/** After a command of ours replaced the transcript: the old copy is set aside, the new content is marked. Lock held. */
export function startOver(environment: Environment, sessionId: string, transcriptPath: string, reason: string): void {
  const { paths, now } = environment;
  const { state } = loadAndHeal(paths, sessionId, transcriptPath, now());
  if (!continuesMirror(paths, { ...state, transcriptPath })) beginGeneration(paths, state, "restored", now());
  takeSnapshot(environment, { sessionId, transcriptPath, reason });
}

/** What the new lines do not say is as it was at the mark before. */
function describe(tail: Uint8Array, previous: Mark | undefined, lastMessage: string | undefined): MarkFacts {
  const { contextTokens, lastStep } = describeTail(tail);
  return {
    contextTokens: contextTokens === undefined ? (previous?.contextTokens ?? null) : contextTokens,
    lastStep: lastStep ?? previous?.lastStep ?? null,
    ...(lastMessage ? { lastMessage: lastMessage.slice(0, messageLength) } : {}),
  };
}

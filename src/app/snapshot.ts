import { sideDirectory } from "../claude/paths.ts";
import { describeTail } from "../claude/transcript-tail.ts";
import type { Mark } from "../core/mark.ts";
import { copySideFiles } from "../store/side-files.ts";
import { beginGeneration, loadAndHeal } from "../store/generations.ts";
import { type Appended, appendSnapshot, continuesMirror, type MarkFacts, noteLastMessage } from "../store/snapshots.ts";
import type { SnapshotState } from "../store/snapshot-state.ts";
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
/** A hook may be waited for: what is not copied in this time is copied by the next one. */
const sideFilesMilliseconds = 1_000;

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
  if (!appended.mark && lastMessage) noteLastMessage(paths, sessionId, lastMessage.slice(0, messageLength));
  const until = now() + sideFilesMilliseconds;
  copySideFiles(sideDirectory(transcriptPath), paths.sideFiles(sessionId), () => now() < until);
  return appended;
}

/** Puts in order what a kill or a foreign hand left of our files. Lock held. */
export function heal(environment: Environment, sessionId: string): SnapshotState {
  const { paths, now } = environment;
  return loadAndHeal(paths, sessionId, findTranscript(environment, sessionId) ?? "", now()).state;
}

/** Keeps what the transcript has beyond the last mark, if it still is the transcript that we copied. Lock held. */
export function catchUp(environment: Environment, sessionId: string, reason: string): void {
  const state = heal(environment, sessionId);
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

import { sideDirectory } from "../../claude/paths.ts";
import { isToolResult } from "../../claude/side-files/side-file.ts";
import { describeTail } from "../../claude/transcript/transcript-tail.ts";
import type { Mark } from "../../core/snapshot/mark.ts";
import { copySideFiles } from "../../store/snapshots/side-files.ts";
import { beginGeneration, loadAndHeal } from "../../store/snapshots/generations.ts";
import {
  type Appended,
  appendSnapshot,
  continuesMirror,
  type MarkFacts,
  noteLastMessage,
  type SnapshotInput,
} from "../../store/snapshots/snapshots.ts";
import type { SnapshotState } from "../../store/snapshots/snapshot-state.ts";
import type { Environment } from "../environment.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { locateTranscript } from "../session/locate-transcript.ts";

export interface SnapshotRequest {
  sessionId: string;
  transcriptPath: string;
  cwd?: string | undefined;
  reason: string;
  lastMessage?: string | undefined;
  /** See `SnapshotInput`. */
  isPast?: boolean;
  /** See `SnapshotInput`; without it, any new bytes get a mark. */
  isMarkDue?: SnapshotInput["isMarkDue"];
}

const maxMessageLength = 2_000;
/** Claude may wait for this hook: files not copied within this time are left to the next hook. */
const sideFilesTimeoutMs = 1_000;

/** The caller must hold the session's lock. */
export function takeSnapshot({ paths, now }: Environment, request: SnapshotRequest): Appended {
  const { sessionId, transcriptPath, cwd, reason, lastMessage, isPast, isMarkDue = isLarger } = request;
  const appended = appendSnapshot(paths, sessionId, {
    transcriptPath,
    cwd,
    reason,
    now: now(),
    isPast,
    isMarkDue,
    describe: (tail, previous) => describe(tail, previous, lastMessage),
  });
  if (!appended.mark && lastMessage) noteLastMessage(paths, sessionId, lastMessage.slice(0, maxMessageLength));
  const until = now() + sideFilesTimeoutMs;
  copySideFiles(sideDirectory(transcriptPath), paths.sideFiles(sessionId), {
    hasTime: () => now() < until,
    neverShrinks: isToolResult,
  });
  return appended;
}

const isLarger = (copied: number, marked: number): boolean => copied > marked;

/** Restores a consistent state after a kill or an outside change to our files. The caller must hold the lock. */
export function heal(environment: Environment, sessionId: string): SnapshotState {
  const { paths, now } = environment;
  return loadAndHeal(paths, sessionId, findTranscript(environment, sessionId) ?? "", now()).state;
}

/** Copies lines added since the last mark, if this is still the transcript we copied. The caller must hold the lock. */
export function catchUp(environment: Environment, sessionId: string, reason: string): void {
  const state = heal(environment, sessionId);
  const transcriptPath = locateTranscript(environment, sessionId, state.transcriptPath);
  if (transcriptPath === undefined || !continuesMirror(environment.paths, { ...state, transcriptPath })) return;
  takeSnapshot(environment, { sessionId, transcriptPath, reason });
}

/** Called after a restore, undo or repair: sets the old copy aside and marks the new content. The caller must hold the lock. */
export function snapshotReplaced(
  environment: Environment,
  sessionId: string,
  transcriptPath: string,
  reason: string,
): void {
  const { paths, now } = environment;
  const { state } = loadAndHeal(paths, sessionId, transcriptPath, now());
  if (!continuesMirror(paths, { ...state, transcriptPath })) beginGeneration(paths, state, "restored", now());
  takeSnapshot(environment, { sessionId, transcriptPath, reason });
}

/** Facts that the new lines do not mention carry over from the previous mark. */
function describe(tail: Uint8Array, previous: Mark | undefined, lastMessage: string | undefined): MarkFacts {
  const { contextTokens, lastStep } = describeTail(tail);
  return {
    contextTokens: contextTokens === undefined ? (previous?.contextTokens ?? null) : contextTokens,
    lastStep: lastStep ?? previous?.lastStep ?? null,
    ...(lastMessage ? { lastMessage: lastMessage.slice(0, maxMessageLength) } : {}),
  };
}

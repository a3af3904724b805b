import type { Mark } from "../../core/snapshot/mark.ts";
import { makeDirectory, moveFile, replaceFile } from "../../io/durable/durable.ts";
import {
  fileSize,
  forEachChunk,
  lastLineEnd,
  type OpenFile,
  readText,
  sameBytes,
  withFile,
} from "../../io/files/read-file.ts";
import { countLines } from "./count-lines.ts";
import { HashChain } from "../packing/hash-chain.ts";
import { presentPlace, unpackMirror, unpackWithoutState } from "../packing/packing.ts";
import { readPastState } from "./past-state.ts";
import { recallPast, recallPlace } from "./recall.ts";
import { finishRemoval } from "./removal.ts";
import { packedPath, type SnapshotPaths } from "./snapshot-paths.ts";
import { closeOpenMark, type GenerationEnd, newState, parseState, type SnapshotState } from "./snapshot-state.ts";

// The caller holds the lock of the session.

/** Sets the current mirror aside as a whole and starts an empty generation. Safe to repeat after a kill. */
export function beginGeneration(
  paths: SnapshotPaths,
  present: SnapshotState,
  why: GenerationEnd,
  now: number,
): SnapshotState {
  makeDirectory(paths.generations);
  const state = closeOpenMark(present);
  const { sessionId } = state;
  const mirror = paths.mirror(sessionId);
  const files = [mirror, packedPath(mirror)].filter((path) => fileSize(path) !== undefined);
  const generation = numberFor(paths, state, files.length > 0);
  // First the state, so that the moved mirror always has one; then the mirror; then the new state.
  const ended = { ...state, generation, endedAt: now, why };
  replaceFile(paths.pastState(sessionId, generation), JSON.stringify(ended));
  for (const file of files) moveFile(file, file.replace(mirror, paths.pastMirror(sessionId, generation)));
  const next = { ...newState(sessionId, state.transcriptPath), generation: generation + 1, count: state.count };
  if (state.cwd !== undefined) next.cwd = state.cwd;
  if (state.directory !== undefined) next.directory = state.directory;
  next.past = [...state.past, { generation, endedAt: now, why, size: state.size }];
  replaceFile(paths.state(sessionId), JSON.stringify(next));
  return next;
}

/** Its own number, unless another mirror already has it: a state that was restored from elsewhere may count again. */
function numberFor(paths: SnapshotPaths, { sessionId, generation }: SnapshotState, hasMirror: boolean): number {
  const isKept = (number: number): boolean => {
    const mirror = paths.pastMirror(sessionId, number);
    return [mirror, packedPath(mirror)].some((path) => fileSize(path) !== undefined);
  };
  if (!hasMirror || !isKept(generation)) return generation;
  let free = generation;
  while (isTaken(paths, sessionId, free)) free++;
  return free;
}

export type Loaded = { state: SnapshotState; ended: GenerationEnd | undefined };

/** The state to continue from. First repairs what a kill, a power cut or another program left behind. */
export function loadAndHeal(paths: SnapshotPaths, sessionId: string, transcriptPath: string, now: number): Loaded {
  const text = readText(paths.state(sessionId));
  const state = text === undefined ? undefined : parseState(text, sessionId);
  if (!state) return healUnknown(paths, sessionId, transcriptPath, { now, isMissing: text === undefined });
  const plain = unpackMirror(presentPlace(paths, sessionId), state);
  if (plain && (fileSize(paths.mirror(sessionId)) ?? 0) >= plain.size) return { state: plain, ended: undefined };
  // Killed after the mirror was moved: finish it. Otherwise another program truncated the mirror.
  const why = readPastState(paths, sessionId, state.generation)?.why ?? "damaged";
  return { state: beginGeneration(paths, state, why, now), ended: why };
}

/** Without a readable state, inspects the files. */
function healUnknown(
  paths: SnapshotPaths,
  sessionId: string,
  transcriptPath: string,
  { now, isMissing }: { now: number; isMissing: boolean },
): Loaded {
  finishRemoval(paths, sessionId);
  unpackWithoutState(paths.mirror(sessionId));
  const fresh = { ...newState(sessionId, transcriptPath), ...recallPast(paths, sessionId) };
  const mirrored = fileSize(paths.mirror(sessionId)) !== undefined;
  // Killed during the very first snapshot: the transcript still has everything, and is copied again.
  const isRepeated = mirrored && isMissing && beginsWith(transcriptPath, paths.mirror(sessionId));
  if ((isMissing && !mirrored) || isRepeated) return { state: fresh, ended: undefined };
  const adopted = withFile(paths.mirror(sessionId), (mirror) => markWhole(mirror, fresh, now));
  const unknown = { ...fresh, transcriptPath: transcriptPath || recallPlace(paths, sessionId, fresh), ...adopted };
  return { state: beginGeneration(paths, unknown, "unreadable-state", now), ended: "unreadable-state" };
}

function beginsWith(transcriptPath: string, mirrorPath: string): boolean {
  const same = withFile(transcriptPath, (transcript) =>
    withFile(mirrorPath, (mirror) => {
      return transcript.size >= mirror.size && sameBytes(transcript.fd, mirror.fd, 0, mirror.size);
    }),
  );
  return same ?? false;
}

/** Used by a kept generation, or by one whose removal is not finished. */
function isTaken(paths: SnapshotPaths, sessionId: string, generation: number): boolean {
  const names = [paths.pastState(sessionId, generation), paths.pastRemoving(sessionId, generation)];
  return names.some((path) => fileSize(path) !== undefined);
}

/** A mirror without a readable state becomes a generation with one mark: its bytes are kept, its history is unknown. */
function markWhole(mirror: OpenFile, { count }: SnapshotState, now: number): Partial<SnapshotState> {
  const size = lastLineEnd(mirror.fd, 0, mirror.size);
  const chain = HashChain.empty();
  let lines = 0;
  forEachChunk(mirror.fd, 0, size, (bytes) => {
    chain.feed(bytes);
    lines += countLines(bytes);
  });
  // The numbers of the lost marks are unknown: start far enough ahead to use none twice.
  const n = count + 10_000;
  const unknown = { contextTokens: null, lastStep: null, hash: chain.digest() };
  const mark: Mark = { n, time: now, reason: "recovered", size, lines, ...unknown };
  return { size, lines, chain: chain.chain, count: n, marks: size > 0 ? [mark] : [] };
}

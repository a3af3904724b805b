import type { Mark } from "../core/mark.ts";
import { makeDirectory, moveFile, replaceFile } from "../io/durable.ts";
import { fileSize, forEachChunk, lastLineEnd, type OpenFile, readText, withFile } from "../io/read-file.ts";
import { countLines } from "./count-lines.ts";
import { HashChain } from "./hash-chain.ts";
import { presentPlace, unpackMirror, unpackUnknown } from "./packing.ts";
import { finishRemoval } from "./removal.ts";
import { packedPath, type SnapshotPaths } from "./snapshot-paths.ts";
import { type GenerationEnd, newState, parseState, type SnapshotState } from "./snapshot-state.ts";

// Called with the session's lock held.

/** Sets the present mirror aside, whole, and starts the next generation empty. May be repeated after a kill. */
export function beginGeneration(
  paths: SnapshotPaths,
  state: SnapshotState,
  why: GenerationEnd,
  now: number,
): SnapshotState {
  makeDirectory(paths.generations);
  const { sessionId, generation } = state;
  // First the state, so that the moved mirror is never without one; then the mirror; then the new state.
  const ended = { ...state, endedAt: now, why };
  replaceFile(paths.pastState(sessionId, generation), JSON.stringify(ended));
  if (fileSize(paths.mirror(sessionId)) !== undefined) {
    moveFile(paths.mirror(sessionId), paths.pastMirror(sessionId, generation));
  }
  // Only of a damaged one: all others have been unpacked before.
  if (state.packed && fileSize(packedPath(paths.mirror(sessionId))) !== undefined) {
    moveFile(packedPath(paths.mirror(sessionId)), packedPath(paths.pastMirror(sessionId, generation)));
  }
  const next = { ...newState(sessionId, state.transcriptPath), generation: generation + 1, count: state.count };
  if (state.cwd !== undefined) next.cwd = state.cwd;
  next.past = [...state.past, { generation, endedAt: now, why, size: state.size }];
  replaceFile(paths.state(sessionId), JSON.stringify(next));
  return next;
}

export type Loaded = { state: SnapshotState; ended: GenerationEnd | undefined };

/** The state to go on from. What a kill, a power cut or a foreign hand left behind is put in order first. */
export function loadAndHeal(paths: SnapshotPaths, sessionId: string, transcriptPath: string, now: number): Loaded {
  const text = readText(paths.state(sessionId));
  const state = text === undefined ? undefined : parseState(text, sessionId);
  if (!state) {
    finishRemoval(paths, sessionId);
    unpackUnknown(paths.mirror(sessionId));
    if (text === undefined && fileSize(paths.mirror(sessionId)) === undefined) {
      return { state: newState(sessionId, transcriptPath), ended: undefined };
    }
    const unknown = adoptMirror(paths, sessionId, transcriptPath, now);
    return { state: beginGeneration(paths, unknown, "unreadable-state", now), ended: "unreadable-state" };
  }
  const plain = unpackMirror(presentPlace(paths, sessionId), state);
  if (plain && (fileSize(paths.mirror(sessionId)) ?? 0) >= plain.size) return { state: plain, ended: undefined };
  // Killed after the mirror was moved: what was begun is finished. Otherwise somebody took bytes from the mirror.
  const why = readPastState(paths, sessionId, state.generation)?.why ?? "damaged";
  return { state: beginGeneration(paths, state, why, now), ended: why };
}

export type EndedState = SnapshotState & { endedAt: number; why: GenerationEnd };

export function readPastState(paths: SnapshotPaths, sessionId: string, generation: number): EndedState | undefined {
  const text = readText(paths.pastState(sessionId, generation));
  return text === undefined ? undefined : (parseState(text, sessionId) as EndedState | undefined);
}

/** A mirror whose state cannot be read becomes a generation of one mark: its bytes are kept, its history is not known. */
function adoptMirror(paths: SnapshotPaths, sessionId: string, transcriptPath: string, now: number): SnapshotState {
  let generation = 1;
  while (isTaken(paths, sessionId, generation)) generation++;
  const adopted = withFile(paths.mirror(sessionId), (mirror) => markWhole(mirror, generation, now));
  return { ...newState(sessionId, transcriptPath), ...adopted, generation };
}

/** By a kept one, or by one whose removal is not finished. */
function isTaken(paths: SnapshotPaths, sessionId: string, generation: number): boolean {
  const names = [paths.pastState(sessionId, generation), paths.pastRemoving(sessionId, generation)];
  return names.some((path) => fileSize(path) !== undefined);
}

function markWhole(mirror: OpenFile, generation: number, now: number): Partial<SnapshotState> {
  const size = lastLineEnd(mirror.fd, 0, mirror.size);
  const chain = HashChain.empty();
  let lines = 0;
  forEachChunk(mirror.fd, 0, size, (bytes) => {
    chain.feed(bytes);
    lines += countLines(bytes);
  });
  // The numbers of the lost marks are unknown: far enough ahead that none is given twice.
  const n = generation * 10_000;
  const unknown = { contextTokens: null, lastStep: null, hash: chain.digest() };
  const mark: Mark = { n, time: now, reason: "recovered", size, lines, ...unknown };
  return { size, lines, chain: chain.chain, count: n, marks: size > 0 ? [mark] : [] };
}

import { basename, dirname } from "node:path";
import { appendRange, moveFile, removeFile, replaceFile } from "../io/durable.ts";
import { fileSize } from "../io/read-file.ts";
import { fileHash } from "./file-hash.ts";
import { findFrames } from "./find-frames.ts";
import { HashChain } from "./hash-chain.ts";
import { forEachUnpacked, writePacked } from "./packed-frames.ts";
import { packedPath, type SnapshotPaths } from "./snapshot-paths.ts";
import type { Packed, SnapshotState } from "./snapshot-state.ts";

// A cold mirror is kept as zstd. Which of the two files counts is what the state says, and only that: with `packed`
// it is the .zst, without it the plain one. Each gets its name only when it is whole, synced and verified, and goes
// only after the state names the other. Called with the session's lock held.

/** Where one generation lies. */
export interface Place {
  mirror: string;
  state: string;
}

export const presentPlace = (paths: SnapshotPaths, sessionId: string): Place => ({
  mirror: paths.mirror(sessionId),
  state: paths.state(sessionId),
});

export const pastPlace = (paths: SnapshotPaths, sessionId: string, generation: number): Place => ({
  mirror: paths.pastMirror(sessionId, generation),
  state: paths.pastState(sessionId, generation),
});

/** The packed size, or false when the mirror is not what its last mark says: then nothing is touched. */
export function packMirror<State extends SnapshotState>(place: Place, state: State): number | false {
  const hash = state.marks.at(-1)?.hash;
  if (hash === undefined || state.packed || (fileSize(place.mirror) ?? 0) < state.size) return false;
  const target = packedPath(place.mirror);
  const staged = stagedBeside(target);
  const packed = writePacked(place.mirror, state.size, staged);
  if (packedHash(staged, packed, state.size) !== hash) {
    removeFile(staged);
    return false;
  }
  moveFile(staged, target, { overwrite: true });
  replaceFile(place.state, JSON.stringify({ ...state, packed }));
  removeFile(place.mirror);
  return sum(packed.frames);
}

/** Makes the mirror plain again; undefined when neither of its files is what the last mark says. */
export function unpackMirror<State extends SnapshotState>(place: Place, state: State): State | undefined {
  const { packed, ...plain } = state;
  const hash = state.marks.at(-1)?.hash;
  if (!packed) return state;
  // Killed on the way here or there, the plain one may be whole.
  if (fileHash(place.mirror, state.size) !== hash) {
    const staged = stagedBeside(place.mirror);
    if (writePlain(packedPath(place.mirror), packed, state.size, staged).hash !== hash) {
      removeFile(staged);
      return undefined;
    }
    moveFile(staged, place.mirror, { overwrite: true });
  }
  replaceFile(place.state, JSON.stringify(plain));
  removeFile(packedPath(place.mirror));
  return plain as State;
}

/** After a kill there may be both files: the one that does not count goes, once the other is seen to be whole. */
export function removeSurplus(place: Place, state: SnapshotState): void {
  const hash = state.marks.at(-1)?.hash;
  const { packed, size } = state;
  if (packed) {
    if (packedHash(packedPath(place.mirror), packed, size) === hash) removeFile(place.mirror);
  } else if (hash === undefined || fileHash(place.mirror, size) === hash) {
    removeFile(packedPath(place.mirror));
  }
}

/** A packed mirror whose state is lost becomes a plain one, as far as it can be decoded. */
export function unpackUnknown(mirror: string): void {
  const source = packedPath(mirror);
  const size = fileSize(source);
  if (size === undefined || fileSize(mirror) !== undefined) return;
  const packed = findFrames(source);
  const staged = stagedBeside(mirror);
  const written = writePlain(source, packed, Number.MAX_SAFE_INTEGER, staged);
  const isWhole = sum(packed.frames) === size && written.size > (packed.frames.length - 1) * packed.frame;
  moveFile(staged, mirror);
  if (isWhole) removeFile(source);
  else moveFile(source, `${source}.broken`, { overwrite: true });
}

/** Of the first `size` raw bytes; undefined when there are not as many. */
export function packedHash(path: string, packed: Packed, size: number): string | undefined {
  const chain = HashChain.empty();
  const visited = forEachUnpacked(path, packed, size, (bytes) => chain.feed(bytes));
  return visited === size ? chain.digest() : undefined;
}

/** Decodes into `target`, whatever that was before; synced when it returns. */
export function writePlain(
  source: string,
  packed: Packed,
  size: number,
  target: string,
): { size: number; hash: string } {
  const chain = HashChain.empty();
  let at = appendRange({ source: new Uint8Array(), from: 0, to: 0, target, at: 0 });
  forEachUnpacked(source, packed, size, (bytes) => {
    chain.feed(bytes);
    at = appendRange({ source: bytes, from: 0, to: bytes.length, target, at });
  });
  return { size: at, hash: chain.digest() };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** A name like those of durable.ts, so that what a kill leaves is swept; the lock keeps others from it. */
const stagedBeside = (path: string): string => `${dirname(path)}/.${basename(path)}.tmp-0-0`;

import { basename, dirname } from "node:path";
import { appendRange, moveFile, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { fileSize } from "../../io/files/read-file.ts";
import { fileHash } from "./file-hash.ts";
import { findFrames } from "./find-frames.ts";
import { HashChain } from "./hash-chain.ts";
import { forEachUnpacked, writePacked } from "./packed-frames.ts";
import { packedPath, type SnapshotPaths } from "../snapshots/snapshot-paths.ts";
import type { Packed, SnapshotState } from "../snapshots/snapshot-state.ts";

// An old mirror is compressed with zstd. The state decides which of the two files is valid: with `packed` the .zst, without it the
// plain one. A file gets its name only when it is complete, synced and verified; the other is removed only after the state has
// changed. The caller holds the lock of the session.

/** The paths of one generation. */
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

/** Packs the mirror and returns the packed size. Changes nothing and returns undefined when the mirror does not match its last mark. */
export function packMirror<State extends SnapshotState>(place: Place, state: State): number | undefined {
  const hash = state.marks.at(-1)?.hash;
  if (hash === undefined || state.packed || (fileSize(place.mirror) ?? 0) < state.size) return undefined;
  const target = packedPath(place.mirror);
  const staged = stagedBeside(target);
  const packed = writePacked(place.mirror, state.size, staged);
  if (packedHash(staged, packed, state.size) !== hash) {
    removeFile(staged);
    return undefined;
  }
  moveFile(staged, target, { overwrite: true });
  replaceFile(place.state, JSON.stringify({ ...state, packed }));
  removeFile(place.mirror);
  return sum(packed.frames);
}

/** Unpacks the mirror; undefined when neither file matches the last mark. */
export function unpackMirror<State extends SnapshotState>(place: Place, state: State): State | undefined {
  const { packed, ...plain } = state;
  const hash = state.marks.at(-1)?.hash;
  if (!packed) return state;
  // After a kill during packing or unpacking, the plain file may already be complete.
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

/** After a kill both files may exist. Removes the one that the state does not name, if the other is complete. */
export function removeSurplus(place: Place, state: SnapshotState): void {
  const hash = state.marks.at(-1)?.hash;
  const { packed, size } = state;
  if (packed) {
    if (packedHash(packedPath(place.mirror), packed, size) === hash) removeFile(place.mirror);
  } else if (hash === undefined || fileHash(place.mirror, size) === hash) {
    removeFile(packedPath(place.mirror));
  }
}

/** Unpacks a packed mirror whose state is lost, as far as it can be decoded. */
export function unpackWithoutState(mirror: string): void {
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

/** The hash of the first `size` raw bytes; undefined when there are fewer. */
export function packedHash(path: string, packed: Packed, size: number): string | undefined {
  const chain = HashChain.empty();
  const visited = forEachUnpacked(path, packed, size, (bytes) => chain.feed(bytes));
  return visited === size ? chain.digest() : undefined;
}

/** Decodes into `target` and replaces its content; synced when it returns. */
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

/** Named like the temporary files of durable.ts, so that it is swept after a kill; the lock protects it until then. */
const stagedBeside = (path: string): string => `${dirname(path)}/.${basename(path)}.tmp-0-0`;

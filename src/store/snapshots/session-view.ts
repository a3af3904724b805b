import type { Mark } from "../../core/snapshot/mark.ts";
import { fileSize, listDirectory, readText } from "../../io/files/read-file.ts";
import { readPastState } from "./past-state.ts";
import { packedPath, type SnapshotPaths } from "./snapshot-paths.ts";
import {
  type GenerationEnd,
  type Packed,
  type PastGeneration,
  parseState,
  type SnapshotState,
} from "./snapshot-state.ts";

/** One uninterrupted period of a transcript, and our copy of it. */
export interface Generation {
  number: number;
  /** The plain file. While `packed` is set, the compressed file next to it counts: see mirror.ts. */
  mirrorPath: string;
  packed?: Packed;
  transcriptPath: string;
  size: number;
  marks: Mark[];
  /** Its state cannot be read: the bytes may exist, but no mark describes them. */
  unreadable?: true;
  /** Absent for the current one. */
  ended?: { at: number; why: GenerationEnd };
}

/** Oldest first; the last one is the current one. */
export interface SessionView {
  sessionId: string;
  transcriptPath: string;
  cwd: string | undefined;
  generations: Generation[];
}

export function listSessionIds(paths: SnapshotPaths): string[] {
  const suffix = ".state.json";
  return listDirectory(paths.snapshots)
    .filter((name) => name.endsWith(suffix) && !name.startsWith("."))
    .map((name) => name.slice(0, -suffix.length));
}

/** True also when its state cannot be read. */
export const hasSnapshot = (paths: SnapshotPaths, sessionId: string): boolean =>
  fileSize(paths.state(sessionId)) !== undefined;

/**
 * Reads without the lock: the result may be a moment old, but everything in it is complete. Undefined when there is no snapshot,
 * or its state cannot be read.
 */
export function viewSession(paths: SnapshotPaths, sessionId: string): SessionView | undefined {
  const text = readText(paths.state(sessionId));
  const state = text === undefined ? undefined : parseState(text, sessionId);
  if (!state) return undefined;
  const past = state.past.flatMap(({ generation, endedAt, why, size }): Generation[] => {
    const ended = readPastState(paths, sessionId, generation);
    if (!ended) return [unreadable(paths, state, { generation, endedAt, why, size })];
    return [{ ...generationOf(paths, ended), ended: { at: ended.endedAt, why: ended.why } }];
  });
  const { transcriptPath, cwd } = state;
  return { sessionId, transcriptPath, cwd, generations: [...past, generationOf(paths, state)] };
}

export const allMarks = (view: SessionView): Mark[] => view.generations.flatMap((generation) => generation.marks);

function unreadable(
  paths: SnapshotPaths,
  { sessionId, transcriptPath }: SnapshotState,
  past: PastGeneration,
): Generation {
  const { generation, endedAt, why, size } = past;
  const mirrorPath = paths.pastMirror(sessionId, generation);
  const ended = { at: endedAt, why };
  return { number: generation, mirrorPath, transcriptPath, size, marks: [], unreadable: true, ended };
}

function generationOf(paths: SnapshotPaths, state: SnapshotState): Generation {
  const { sessionId, generation, packed, transcriptPath, size, marks } = state;
  const moved = paths.pastMirror(sessionId, generation);
  // A past one, or the current one between two steps of setting it aside.
  const hasMoved = fileSize(packed ? packedPath(moved) : moved) !== undefined;
  const mirrorPath = hasMoved ? moved : paths.mirror(sessionId);
  return { number: generation, mirrorPath, transcriptPath, size, marks, ...(packed ? { packed } : {}) };
}

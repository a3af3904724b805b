import type { Mark } from "../core/mark.ts";
import { fileSize, listDirectory, readText } from "../io/read-file.ts";
import { readPastState } from "./past-state.ts";
import { packedPath, type SnapshotPaths } from "./snapshot-paths.ts";
import {
  type GenerationEnd,
  type Packed,
  type PastGeneration,
  parseState,
  type SnapshotState,
} from "./snapshot-state.ts";

/** One unbroken life of a transcript, and the bytes we have of it. */
export interface Generation {
  number: number;
  /** The plain file; while `packed` is set, what counts lies beside it, compressed: see mirror.ts. */
  mirrorPath: string;
  packed?: Packed;
  transcriptPath: string;
  size: number;
  marks: Mark[];
  /** Its state cannot be read: the bytes may be there, but no mark says which. */
  unreadable?: true;
  /** Absent for the present one. */
  ended?: { at: number; why: GenerationEnd };
}

/** Oldest first; the last one is the present one. */
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

/** Reads without the lock: everything in it was acknowledged, though it may be a moment old. */
export function viewSession(paths: SnapshotPaths, sessionId: string): SessionView | "none" | "unreadable" {
  const text = readText(paths.state(sessionId));
  if (text === undefined) return "none";
  const state = parseState(text, sessionId);
  if (!state) return "unreadable";
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
  // A past one, or the present one between two steps of its setting aside.
  const hasMoved = fileSize(packed ? packedPath(moved) : moved) !== undefined;
  const mirrorPath = hasMoved ? moved : paths.mirror(sessionId);
  return { number: generation, mirrorPath, transcriptPath, size, marks, ...(packed ? { packed } : {}) };
}

import type { Mark } from "../core/mark.ts";

/** Why a generation ended: something happened to the transcript, a restore of ours, or something happened to our files. */
export type GenerationEnd = "shrunk" | "moved" | "rewritten" | "restored" | "damaged" | "unreadable-state";

export interface PastGeneration {
  generation: number;
  endedAt: number;
  why: GenerationEnd;
  size: number;
}

/** How a packed mirror is cut: each frame is a zstd frame of its own, of `frame` raw bytes, the last one of the rest. */
export interface Packed {
  frame: number;
  /** The compressed sizes, in order. */
  frames: number[];
}

/** `{sessionId}.state.json`. Written by the snapshot engine alone, after the mirror's bytes are on disk. */
export interface SnapshotState {
  version: 1;
  sessionId: string;
  /** The present one; the past ones lie under generations/. */
  generation: number;
  /** Of the last snapshot. */
  transcriptPath: string;
  /** The directory that Claude worked in, when the hook said so. */
  cwd?: string;
  /** Which file the transcript was at the last mark: device and inode. */
  file: string;
  /** The bytes of the mirror that count: what is beyond was never acknowledged. */
  size: number;
  lines: number;
  /** The hash chain's state at `size`. */
  chain: string;
  /** Marks ever taken; the next one gets this number plus one. */
  count: number;
  marks: Mark[];
  past: PastGeneration[];
  /** Set while the mirror is kept compressed: then `.jsonl.zst` is the file that counts. */
  packed?: Packed;
}

export function newState(sessionId: string, transcriptPath: string): SnapshotState {
  return {
    version: 1,
    sessionId,
    generation: 1,
    transcriptPath,
    file: "",
    size: 0,
    lines: 0,
    chain: "0",
    count: 0,
    marks: [],
    past: [],
  };
}

/** Undefined when the text is not a state that this version can trust. */
export function parseState(text: string, sessionId: string): SnapshotState | undefined {
  let value: Partial<SnapshotState> | null;
  try {
    value = JSON.parse(text) as Partial<SnapshotState> | null;
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || value.version !== 1 || value.sessionId !== sessionId)
    return undefined;
  const { generation, size, lines, count, file, chain, marks, past, transcriptPath } = value;
  if (![generation, size, lines, count].every(isCount)) return undefined;
  if (![chain, file, transcriptPath].every((text) => typeof text === "string")) return undefined;
  if (!/^[0-9a-f]{1,16}$/.test(chain as string)) return undefined;
  if (!Array.isArray(marks) || !marks.every(isMark)) return undefined;
  if (!Array.isArray(past) || !past.every(isPast)) return undefined;
  if (value.cwd !== undefined && typeof value.cwd !== "string") return undefined;
  if ((marks.at(-1)?.size ?? 0) !== size) return undefined;
  if (value.packed !== undefined && !isPacked(value.packed, size as number)) return undefined;
  return value as SnapshotState;
}

// By hand, not by the checks of the other records: every hook reads a state.
function isMark(value: unknown): value is Mark {
  if (typeof value !== "object" || value === null) return false;
  const { n, time, size, lines, hash, reason, contextTokens, lastStep, lastMessage } = value as Partial<Mark>;
  return (
    isCount(n) &&
    isCount(size) &&
    isCount(lines) &&
    isTime(time) &&
    typeof hash === "string" &&
    typeof reason === "string" &&
    // As the transcript says it, which may be anything.
    (contextTokens === null || typeof contextTokens === "number") &&
    (lastStep === null || typeof lastStep === "string") &&
    (lastMessage === undefined || typeof lastMessage === "string")
  );
}

export function isPast(value: unknown): value is PastGeneration {
  if (typeof value !== "object" || value === null) return false;
  const { generation, endedAt, why, size } = value as Partial<PastGeneration>;
  return isCount(generation) && isTime(endedAt) && typeof why === "string" && isCount(size);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
/** One that a date can be made of. */
const isTime = (value: unknown): value is number => typeof value === "number" && value >= 0 && value < 8.64e15;

function isPacked(value: unknown, size: number): value is Packed {
  if (typeof value !== "object" || value === null) return false;
  const { frame, frames } = value as Partial<Packed>;
  if (!isPositive(frame) || !Array.isArray(frames) || !frames.every(isPositive)) return false;
  return frames.length === Math.ceil(size / frame);
}

const isPositive = (value: unknown): value is number => isCount(value) && value > 0;

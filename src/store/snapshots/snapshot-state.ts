import { type Mark, settledMarks } from "../../core/snapshot/mark.ts";

/** Why a generation ended: the transcript changed, we restored it, or our files changed. */
export type GenerationEnd =
  | "shrunk"
  | "moved"
  | "rewritten"
  | "restored"
  | "damaged"
  | "unreadable-state"
  /** Another machine of the hub had continued the conversation, and its continuation took the place of this one. */
  | "diverged";

export interface PastGeneration {
  generation: number;
  endedAt: number;
  why: GenerationEnd;
  size: number;
}

/** The layout of a packed mirror: each zstd frame holds `frame` raw bytes, the last one the rest. */
export interface Packed {
  frame: number;
  /** The compressed sizes, in order. */
  frames: number[];
}

/** `{sessionId}.state.json`. Only the snapshot engine writes it, after the bytes of the mirror are on disk. */
export interface SnapshotState {
  version: 1;
  sessionId: string;
  /** The current one; past ones are under generations/. */
  generation: number;
  /** At the last snapshot. */
  transcriptPath: string;
  /** Claude's working directory, if the hook reported it. */
  cwd?: string;
  /** Identifies that directory wherever it moves: device, inode and birth time. */
  directory?: string;
  /** Identifies the transcript file at the last mark: device and inode. */
  file: string;
  /** The valid bytes of the mirror: bytes beyond were never acknowledged. */
  size: number;
  lines: number;
  /** The hash chain's state at `size`. */
  chain: string;
  /** Marks ever taken; the next one gets this number plus one. */
  count: number;
  /** The last one always covers `size`; it is open when these bytes have no mark yet. */
  marks: Mark[];
  past: PastGeneration[];
  /** Set while the mirror is compressed: then `.jsonl.zst` is the valid file. */
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

/** Makes the open mark a mark of its own, so that the next copy does not replace it. */
export function closeOpenMark(state: SnapshotState): SnapshotState {
  const last = state.marks.at(-1);
  if (!last?.open) return state;
  const { open: _, ...mark } = last;
  return { ...state, count: mark.n, marks: [...settledMarks(state.marks), mark] };
}

/** Undefined when the text is not a valid state of this version. */
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
  if (![value.cwd, value.directory].every((text) => text === undefined || typeof text === "string")) return undefined;
  if ((marks.at(-1)?.size ?? 0) !== size) return undefined;
  if (value.packed !== undefined && !isPacked(value.packed, size as number)) return undefined;
  return value as SnapshotState;
}

// Checked by hand, not with check-record, for speed: every hook reads a state.
function isMark(value: unknown): value is Mark {
  if (typeof value !== "object" || value === null) return false;
  const { n, time, size, lines, hash, reason, contextTokens, lastStep, lastMessage, open } = value as Partial<Mark>;
  return (
    isCount(n) &&
    isCount(size) &&
    isCount(lines) &&
    isTime(time) &&
    typeof hash === "string" &&
    typeof reason === "string" &&
    // Copied from the transcript, so it can be any text.
    (contextTokens === null || typeof contextTokens === "number") &&
    (lastStep === null || typeof lastStep === "string") &&
    (lastMessage === undefined || typeof lastMessage === "string") &&
    (open === undefined || open === true)
  );
}

export function isPast(value: unknown): value is PastGeneration {
  if (typeof value !== "object" || value === null) return false;
  const { generation, endedAt, why, size } = value as Partial<PastGeneration>;
  return isCount(generation) && isTime(endedAt) && typeof why === "string" && isCount(size);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
/** A valid time for a Date. */
const isTime = (value: unknown): value is number => typeof value === "number" && value >= 0 && value < 8.64e15;

function isPacked(value: unknown, size: number): value is Packed {
  if (typeof value !== "object" || value === null) return false;
  const { frame, frames } = value as Partial<Packed>;
  if (!isPositive(frame) || !Array.isArray(frames) || !frames.every(isPositive)) return false;
  return frames.length === Math.ceil(size / frame);
}

const isPositive = (value: unknown): value is number => isCount(value) && value > 0;

import { type Mark, settledMarks } from "../../core/snapshot/mark.ts";
import { thinMarks } from "../../core/snapshot/thin-marks.ts";
import { appendRange, makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import {
  directoryIdentity,
  lastLineEnd,
  type OpenFile,
  readRange,
  readText,
  withFile,
} from "../../io/files/read-file.ts";
import { continuityBreak } from "./continuity.ts";
import { countLines } from "./count-lines.ts";
import { beginGeneration, loadAndHeal } from "./generations.ts";
import { HashChain } from "../packing/hash-chain.ts";
import { latestOf, pointTo } from "./latest.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";
import { closeOpenMark, type GenerationEnd, parseState, type SnapshotState } from "./snapshot-state.ts";

/** The meaning of the bytes; only their reader knows it, and no restore depends on it. */
export type MarkFacts = Pick<Mark, "contextTokens" | "lastStep" | "lastMessage">;

export interface SnapshotInput {
  transcriptPath: string;
  cwd: string | undefined;
  reason: string;
  now: number;
  /** The transcript is old: `latest.json` keeps pointing to the newest one. */
  isPast?: boolean | undefined;
  /** Whether a mark is due at this size, when the last mark has `marked` bytes; otherwise the bytes are saved without one. */
  isMarkDue(copied: number, marked: number): boolean;
  /** Receives the end of the new bytes: complete lines, at most 256 KiB. */
  describe(tail: Uint8Array, previous: Mark | undefined): MarkFacts;
}

export interface Appended {
  /** Open when new bytes were saved without a mark. */
  mark: Mark | undefined;
  /** Set when the transcript or our copy has changed: a new generation started. */
  ended: GenerationEnd | undefined;
}

const tailBytes = 256 * 1024;

/** Copies the new complete lines of the transcript, and adds a mark when one is due. The caller holds the lock. */
export function appendSnapshot(paths: SnapshotPaths, sessionId: string, append: SnapshotInput): Appended {
  makeDirectory(paths.snapshots);
  const loaded = loadAndHeal(paths, sessionId, append.transcriptPath, append.now);
  const appended = withFile(append.transcriptPath, (transcript): Appended => {
    const broken = withFile(paths.mirror(sessionId), (mirror) =>
      continuityBreak(loaded.state, append.transcriptPath, transcript, mirror),
    );
    const state = broken ? beginGeneration(paths, loaded.state, broken, append.now) : loaded.state;
    return { mark: copyNewLines(paths, state, transcript, append), ended: broken ?? loaded.ended };
  });
  return appended ?? { mark: undefined, ended: loaded.ended };
}

/** Claude's last message, when the transcript has no new line for it: it belongs to the last mark. */
export function noteLastMessage(paths: SnapshotPaths, sessionId: string, lastMessage: string): void {
  const state = parseState(readText(paths.state(sessionId)) ?? "", sessionId);
  const last = state?.marks.at(-1);
  if (!state || !last || last.lastMessage === lastMessage) return;
  const marks = [...state.marks.slice(0, -1), { ...last, lastMessage }];
  replaceFile(paths.state(sessionId), JSON.stringify({ ...state, marks }));
}

/** Keeps the newest bytes as a mark of their own. The caller holds the lock. */
export function keepOpenMark(paths: SnapshotPaths, sessionId: string): void {
  const state = parseState(readText(paths.state(sessionId)) ?? "", sessionId);
  const closed = state && closeOpenMark(state);
  if (closed !== state) replaceFile(paths.state(sessionId), JSON.stringify(closed));
}

/** Whether the transcript still starts with the content of the mirror; an empty mirror has nothing to compare. */
export function continuesMirror(paths: SnapshotPaths, state: SnapshotState): boolean {
  if (state.size === 0) return true;
  const unbroken = withFile(state.transcriptPath, (transcript) =>
    withFile(
      paths.mirror(state.sessionId),
      (mirror) => continuityBreak(state, state.transcriptPath, transcript, mirror) === undefined,
    ),
  );
  return unbroken ?? false;
}

// The order matters: first the bytes, then the state that acknowledges them, then the pointer to the newest.
function copyNewLines(
  paths: SnapshotPaths,
  state: SnapshotState,
  transcript: OpenFile,
  append: SnapshotInput,
): Mark | undefined {
  const { sessionId } = state;
  const end = lastLineEnd(transcript.fd, state.size, transcript.size);
  const settled = settledMarks(state.marks);
  const isDue = append.isMarkDue(Math.max(end, state.size), settled.at(-1)?.size ?? 0);
  if (end <= state.size && !isDue) {
    if (!append.isPast) pointTo(paths, state);
    return undefined;
  }
  const { chain, lines } = end > state.size ? copyRange(paths, state, transcript, end) : reread(paths, state);
  const size = chain.size;
  const tail = readRange(transcript.fd, Math.max(state.size, size - tailBytes), size);
  const mark: Mark = {
    n: state.count + 1,
    time: append.now,
    reason: append.reason,
    size,
    lines,
    ...append.describe(tail, state.marks.at(-1)),
    hash: chain.digest(),
    ...(isDue ? {} : { open: true }),
  };
  const next: SnapshotState = {
    ...state,
    transcriptPath: append.transcriptPath,
    ...placeOf(append.cwd),
    file: transcript.identity,
    size,
    lines,
    chain: chain.chain,
    count: isDue ? mark.n : state.count,
    marks: thinMarks([...settled, mark]),
  };
  replaceFile(paths.state(sessionId), JSON.stringify(next));
  // Bytes without a mark skip the pointer, which would double their cost: only their session's own files name them.
  if (isDue && !append.isPast) replaceFile(paths.latest, JSON.stringify(latestOf(paths, next, mark)));
  return mark;
}

/** Claude may have removed its own working directory. */
function placeOf(cwd: string | undefined): Pick<SnapshotState, "cwd" | "directory"> {
  if (cwd === undefined) return {};
  try {
    return { cwd, directory: directoryIdentity(cwd) };
  } catch {
    return { cwd };
  }
}

type Copied = { chain: HashChain; lines: number };

function copyRange(paths: SnapshotPaths, state: SnapshotState, transcript: OpenFile, end: number): Copied {
  const chain = resumeChain(paths, state);
  let { lines } = state;
  appendRange({
    source: transcript.fd,
    from: state.size,
    to: end,
    target: paths.mirror(state.sessionId),
    at: state.size,
    onChunk: (bytes) => {
      chain.feed(bytes);
      lines += countLines(bytes);
    },
  });
  return { chain, lines };
}

const reread = (paths: SnapshotPaths, state: SnapshotState): Copied => ({
  chain: resumeChain(paths, state),
  lines: state.lines,
});

function resumeChain(paths: SnapshotPaths, state: SnapshotState): HashChain {
  const from = HashChain.blockStart(state.size);
  const rest = withFile(paths.mirror(state.sessionId), (mirror) => readRange(mirror.fd, from, state.size));
  return HashChain.resume(state.chain, state.size, rest ?? new Uint8Array());
}

import type { Mark } from "../core/mark.ts";
import { thinMarks } from "../core/thin-marks.ts";
import { appendRange, makeDirectory, replaceFile } from "../io/durable.ts";
import { lastLineEnd, type OpenFile, readRange, readText, withFile } from "../io/read-file.ts";
import { continuityBreak } from "./continuity.ts";
import { countLines } from "./count-lines.ts";
import { beginGeneration, loadAndHeal } from "./generations.ts";
import { HashChain } from "./hash-chain.ts";
import { latestOf, pointTo } from "./latest.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";
import { type GenerationEnd, parseState, type SnapshotState } from "./snapshot-state.ts";

/** What the bytes mean; only their reader can say, and no restore depends on it. */
export type MarkFacts = Pick<Mark, "contextTokens" | "lastStep" | "lastMessage">;

export interface Append {
  transcriptPath: string;
  cwd: string | undefined;
  reason: string;
  now: number;
  /** Sees the end of the new bytes, whole lines, at most 256 KiB of them. */
  describe(tail: Uint8Array, previous: Mark | undefined): MarkFacts;
}

export interface Appended {
  mark: Mark | undefined;
  /** Set when the transcript, or our copy, was not what it had been: a new generation began. */
  ended: GenerationEnd | undefined;
}

const tailSize = 256 * 1024;

/** Copies what is new in the transcript, up to its last whole line, and marks the place. The lock must be held. */
export function appendSnapshot(paths: SnapshotPaths, sessionId: string, append: Append): Appended {
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

/** Claude's last words, when the transcript has no new line to go with them: they belong to the last mark. */
export function noteLastMessage(paths: SnapshotPaths, sessionId: string, lastMessage: string): void {
  const state = parseState(readText(paths.state(sessionId)) ?? "", sessionId);
  const last = state?.marks.at(-1);
  if (!state || !last || last.lastMessage === lastMessage) return;
  const marks = [...state.marks.slice(0, -1), { ...last, lastMessage }];
  replaceFile(paths.state(sessionId), JSON.stringify({ ...state, marks }));
}

/** Whether the transcript still is what the mirror was copied from, or an empty mirror has nothing to compare. */
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

// The order is the promise: the bytes, then the state that acknowledges them, then the pointer to the newest.
function copyNewLines(
  paths: SnapshotPaths,
  state: SnapshotState,
  transcript: OpenFile,
  append: Append,
): Mark | undefined {
  const { sessionId } = state;
  const end = lastLineEnd(transcript.fd, state.size, transcript.size);
  if (end <= state.size) {
    pointTo(paths, state);
    return undefined;
  }
  const chain = resumeChain(paths, state);
  let { lines } = state;
  appendRange({
    source: transcript.fd,
    from: state.size,
    to: end,
    target: paths.mirror(sessionId),
    at: state.size,
    onChunk: (bytes) => {
      chain.feed(bytes);
      lines += countLines(bytes);
    },
  });
  const tail = readRange(transcript.fd, Math.max(state.size, end - tailSize), end);
  const mark: Mark = {
    n: state.count + 1,
    time: append.now,
    reason: append.reason,
    size: end,
    lines,
    ...append.describe(tail, state.marks.at(-1)),
    hash: chain.digest(),
  };
  const next: SnapshotState = {
    ...state,
    transcriptPath: append.transcriptPath,
    ...(append.cwd === undefined ? {} : { cwd: append.cwd }),
    file: transcript.identity,
    size: end,
    lines,
    chain: chain.chain,
    count: mark.n,
    marks: thinMarks([...state.marks, mark]),
  };
  replaceFile(paths.state(sessionId), JSON.stringify(next));
  replaceFile(paths.latest, JSON.stringify(latestOf(paths, next, mark)));
  return mark;
}

function resumeChain(paths: SnapshotPaths, state: SnapshotState): HashChain {
  const from = HashChain.blockStart(state.size);
  const rest = withFile(paths.mirror(state.sessionId), (mirror) => readRange(mirror.fd, from, state.size));
  return HashChain.resume(state.chain, state.size, rest ?? new Uint8Array());
}

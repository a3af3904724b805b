import { appendRange, makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { removeTree } from "../../io/durable/remove-tree.ts";
import { isDirectory, lastLineEnd, listDirectory, withFile } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "../snapshots/snapshot-paths.ts";
import { parseState, type SnapshotState } from "../snapshots/snapshot-state.ts";

/** Files on their way from the hub. They are verified while they arrive, and only then put in place. */
export class Incoming {
  readonly #directory: string;
  #count = 0;

  constructor(paths: SnapshotPaths, sessionId: string) {
    this.#directory = paths.hubIncoming(sessionId);
    // The directory stays while the rest of a fetch that was killed is removed: it says that the fetch is not complete.
    makeDirectory(this.#directory);
    for (const name of listDirectory(this.#directory)) removeFile(`${this.#directory}/${name}`);
  }

  /** A fetch of this session was killed: what it put in place may not be all. */
  static isLeft(paths: SnapshotPaths, sessionId: string): boolean {
    return isDirectory(paths.hubIncoming(sessionId));
  }

  /** A new empty file. */
  begin(): IncomingFile {
    return new IncomingFile(`${this.#directory}/${++this.#count}`);
  }

  /** Everything is in place, or nothing was changed. */
  remove(): void {
    removeTree(this.#directory);
  }
}

export class IncomingFile {
  readonly path: string;
  #size = 0;

  constructor(path: string) {
    this.path = path;
    replaceFile(path, "");
  }

  get size(): number {
    return this.#size;
  }

  append(bytes: Uint8Array): void {
    this.#size = appendRange({ target: this.path, at: this.#size, source: bytes, from: 0, to: bytes.length });
  }

  /** Complete lines only: the end of a file whose transfer was interrupted may be half a line. */
  get wholeLines(): number {
    return withFile(this.path, ({ fd }) => lastLineEnd(fd, 0, this.#size)) ?? 0;
  }
}

/** One generation of a session from the hub. */
export interface IncomingGeneration {
  readonly number: number;
  readonly file: IncomingFile;
  /** As the other machine wrote it. */
  readonly stateText: string;
}

/** Where the session is on this machine. */
export interface SessionPlace {
  readonly transcriptPath: string;
  readonly cwd: string;
}

/**
 * Makes the snapshot of another machine one of this machine: the past generations first, the current state last. Returns false
 * when a state cannot be used; then a new snapshot of the transcript begins. The caller holds the lock of the session.
 */
export function importSnapshot(
  paths: SnapshotPaths,
  sessionId: string,
  generations: readonly IncomingGeneration[],
  place: SessionPlace,
): boolean {
  const current = generations.at(-1);
  const state = current && parseState(current.stateText, sessionId);
  if (!current || !state || current.file.size < state.size) return false;
  makeDirectory(paths.generations);
  for (const { number, file, stateText } of generations.slice(0, -1)) {
    const past = parseState(stateText, sessionId);
    if (!past || file.size < past.size) continue;
    copyStart(file, past.size, paths.pastMirror(sessionId, number));
    replaceFile(paths.pastState(sessionId, number), JSON.stringify(placed(past, place)));
  }
  copyStart(current.file, state.size, paths.mirror(sessionId));
  replaceFile(paths.state(sessionId), JSON.stringify(placed(state, place)));
  return true;
}

/** The identity of the file is unknown here, so the next hook compares it as a whole. */
function placed(state: SnapshotState, { transcriptPath, cwd }: SessionPlace): SnapshotState {
  const { packed: _, ...plain } = state;
  return { ...plain, transcriptPath, cwd, file: "" };
}

function copyStart({ path }: IncomingFile, size: number, target: string): void {
  withFile(path, ({ fd }) => replaceFile(target, { source: fd, from: 0, to: size }));
}

import { projectsDirectory, sideDirectory, transcriptPath } from "../../claude/paths.ts";
import { isSubagentTranscript } from "../../claude/side-files/side-file.ts";
import { fileSize, lastLineEnd, readRange, withFile } from "../../io/files/read-file.ts";
import { readUnpacked } from "../../store/packing/packed-frames.ts";
import { type Generation, viewSession } from "../../store/snapshots/session-view.ts";
import { packedPath } from "../../store/snapshots/snapshot-paths.ts";
import type { Environment } from "../environment.ts";
import { listTranscripts } from "../session/find-transcript.ts";
import { readKey } from "./list-sources.ts";

/** The bytes of a source, wherever they are now. */
export interface SourceBytes {
  readonly path: string;
  /** Complete lines of a transcript, or everything. */
  readonly size: number;
  /** Lines of a transcript, not plain text. */
  readonly isTranscript: boolean;
  /** Where it was found: Claude's own file, or our copy. */
  readonly isCopy: boolean;
  read(from: number, to: number): Uint8Array;
}

/** Finds the sources of the index. `projects`: where a session was; only for others Claude's directory is read, and once. */
export class SourceReader {
  readonly #environment: Environment;
  readonly #projects: ReadonlyMap<string, string>;
  #transcripts: Map<string, string> | undefined;

  constructor(environment: Environment, projects: ReadonlyMap<string, string> = new Map()) {
    this.#environment = environment;
    this.#projects = projects;
  }

  /** Opens a source for the body; undefined when it no longer exists. */
  open<T>(key: string, body: (source: SourceBytes) => T): T | undefined {
    const source = readKey(key);
    const { session } = source;
    const { paths } = this.#environment;
    const transcript = this.transcriptOf(session);
    switch (source.kind) {
      case "present":
        return (
          openPlain(transcript, { isTranscript: true, isCopy: false }, body) ??
          openGeneration(viewSession(paths, session)?.generations.at(-1), body)
        );
      case "generation": {
        const generations = viewSession(paths, session)?.generations ?? [];
        const past = generations.find(({ number, ended }) => number === source.generation && ended !== undefined);
        return openGeneration(past, body);
      }
      case "side-file": {
        const { name } = source;
        const isTranscript = isSubagentTranscript(name.replace(/\.before-\d+$/, ""));
        const live = transcript && `${sideDirectory(transcript)}/${name}`;
        return (
          openPlain(live, { isTranscript, isCopy: false }, body) ??
          openPlain(`${paths.sideFiles(session)}/${name}`, { isTranscript, isCopy: true }, body)
        );
      }
    }
  }

  /** Claude's transcript of a session; undefined when it was deleted. */
  transcriptOf(session: string): string | undefined {
    const project = this.#projects.get(session);
    const expected = transcriptPath(`${projectsDirectory(this.#environment.claudeConfig)}/${project}`, session);
    if (project && fileSize(expected) !== undefined) return expected;
    return (this.#transcripts ??= listTranscripts(this.#environment)).get(session);
  }
}

function openPlain<T>(
  path: string | undefined,
  { isTranscript, isCopy, size }: Pick<SourceBytes, "isTranscript" | "isCopy"> & { size?: number },
  body: (source: SourceBytes) => T,
): T | undefined {
  if (path === undefined) return undefined;
  return withFile(path, (file) => {
    const known = Math.min(size ?? file.size, file.size);
    return body({
      path,
      isTranscript,
      isCopy,
      // Only indexing needs it, and it reads the end of the file.
      get size() {
        return isTranscript && size === undefined ? lastLineEnd(file.fd, 0, known) : known;
      },
      read: (from, to) => readRange(file.fd, from, Math.min(to, known)),
    });
  });
}

function openGeneration<T>(generation: Generation | undefined, body: (source: SourceBytes) => T): T | undefined {
  if (!generation) return undefined;
  const { mirrorPath, packed, size } = generation;
  if (!packed) return openPlain(mirrorPath, { isTranscript: true, isCopy: true, size }, body);
  const path = packedPath(mirrorPath);
  return withFile(path, ({ fd }) => {
    const read = (from: number, to: number): Uint8Array => readUnpacked(fd, packed, from, Math.min(to, size));
    return body({ path, size, isTranscript: true, isCopy: true, read });
  });
}

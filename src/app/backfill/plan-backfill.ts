import { sideDirectory } from "../../claude/paths.ts";
import { fileFacts, fileSize, lastLineEnd, readText, withFile } from "../../io/files/read-file.ts";
import { listSideFiles } from "../../store/snapshots/side-files.ts";
import { parseState } from "../../store/snapshots/snapshot-state.ts";
import type { Environment } from "../environment.ts";
import { listTranscripts } from "../session/find-transcript.ts";

/** A conversation of which something is not saved yet. */
export interface UnsavedSession {
  readonly sessionId: string;
  readonly transcriptPath: string;
  readonly modified: number;
  /** What saving it adds. */
  readonly bytes: number;
}

/** Every conversation with something to save, the newest first. What is saved already is never counted again. */
export function planBackfill(environment: Environment): UnsavedSession[] {
  return [...listTranscripts(environment)]
    .flatMap(([sessionId, transcriptPath]) => unsavedPart(environment, sessionId, transcriptPath) ?? [])
    .sort((one, other) => other.modified - one.modified);
}

export function unsavedPart(
  environment: Environment,
  sessionId: string,
  transcriptPath: string,
): UnsavedSession | undefined {
  const facts = fileFacts(transcriptPath);
  if (!facts || facts.size === 0) return undefined;
  const lines = unsavedLines(environment, sessionId, transcriptPath);
  const bytes = lines + unsavedSideFiles(environment, sessionId, transcriptPath);
  return bytes === 0 ? undefined : { sessionId, transcriptPath, modified: facts.modified, bytes };
}

/** Bytes of complete lines that the mirror lacks. A transcript that became shorter has another content: all of it is new. */
function unsavedLines({ paths }: Environment, sessionId: string, transcriptPath: string): number {
  const state = parseState(readText(paths.state(sessionId)) ?? "", sessionId);
  const saved = state?.size ?? 0;
  const end = withFile(transcriptPath, ({ fd, size }) => lastLineEnd(fd, 0, size)) ?? 0;
  return end < saved ? end : end - saved;
}

function unsavedSideFiles({ paths }: Environment, sessionId: string, transcriptPath: string): number {
  const directory = sideDirectory(transcriptPath);
  const copies = paths.sideFiles(sessionId);
  return listSideFiles(directory).reduce((sum, name) => {
    const size = fileSize(`${directory}/${name}`) ?? 0;
    // A file that lost its end is not copied again.
    return sum + Math.max(0, size - (fileSize(`${copies}/${name}`) ?? 0));
  }, 0);
}

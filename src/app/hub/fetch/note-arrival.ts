import { digestCallsSince } from "../../../claude/transcript/calls-since.ts";
import { readShownCalls } from "../../../claude/transcript/shown-calls.ts";
import { isUneventful } from "../../../core/restart/arrival.ts";
import { withFile } from "../../../io/files/read-file.ts";
import { linesBackwards } from "../../../io/files/read-lines-backwards.ts";
import { writeArrivalNote } from "../../../store/session-notes/arrival-notes.ts";
import { bestEffort } from "../../best-effort.ts";
import type { Environment } from "../../environment.ts";
import { findTranscript } from "../../session/find-transcript.ts";
import type { FetchedFiles } from "./fetch-files.ts";
import type { Fetched } from "./fetch-session.ts";

/** The search covers this much of the end of a conversation. */
const maxSearchBytes = 16_000_000;

/**
 * Files are saved less often than the conversation, so the conversation may tell of work that the files here lack. The note is
 * for the message with which Claude resumes.
 */
export function noteArrival(
  environment: Environment,
  { sessionId, directory, label }: Fetched,
  files: FetchedFiles | undefined,
): void {
  const write = (): void => {
    const path = findTranscript(environment, sessionId);
    if (path === undefined) return;
    withFile(path, ({ fd, size }) => {
      const lines = (): Iterable<string> => linesBackwards(fd, size, maxSearchBytes);
      const { answeredAt } = readShownCalls(lines(), []);
      const filesAt = files?.takenAt ?? null;
      const arrival = { from: label.cwd, to: directory, filesAt, ...digestCallsSince(lines(), filesAt ?? 0) };
      writeArrivalNote(environment.paths, sessionId, isUneventful(arrival) ? undefined : { ...arrival, answeredAt });
    });
  };
  bestEffort(environment, write, undefined);
}

import { flagsOf, hasFlag, type Segment, valueOf } from "../claude/flags.ts";
import { parseLiveSession } from "../claude/live-sessions.ts";
import { liveSessionsDirectory, projectDirectoryName, projectsDirectory } from "../claude/paths.ts";
import { isSessionId } from "../core/session-id.ts";
import { fileFacts, listDirectory, readText, resolveLinks } from "../io/read-file.ts";
import type { RunEvent } from "../store/run-events.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";
import { findLiveClaude } from "./live-session.ts";

export interface FoundSession {
  id: string;
  transcriptPath: string;
}

export interface EndedRun {
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly directory: string;
  readonly segments: readonly Segment[];
  /** Of this claude alone. */
  readonly events: readonly RunEvent[];
}

/** Which session a claude that has ended was holding; undefined when it cannot be told for sure. */
export function findEndedSession(environment: Environment, run: EndedRun): FoundSession | undefined {
  const last = run.events.findLast(({ detail }) => detail !== "clear");
  const id = leftBehind(environment, run.pid) ?? last?.sessionId ?? given(run.segments);
  if (id === undefined) return onlyNewOne(environment, run);
  const known = last?.sessionId === id ? last.transcriptPath : null;
  const transcriptPath = known ?? findTranscript(environment, id);
  return transcriptPath === undefined ? undefined : { id, transcriptPath };
}

/** Claude's own list of its processes keeps those that were killed. */
function leftBehind({ claudeConfig }: Environment, pid: number): string | undefined {
  const session = parseLiveSession(readText(`${liveSessionsDirectory(claudeConfig)}/${pid}.json`) ?? "");
  return session && isSessionId(session.sessionId) ? session.sessionId : undefined;
}

function given(segments: readonly Segment[]): string | undefined {
  const chosen = valueOf(segments, "session-id");
  const resumed = hasFlag(segments, "fork-session") ? undefined : valueOf(segments, "resume");
  return [chosen, resumed].find((id) => id !== undefined && uuid.test(id));
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Killed before its first hook, an old client leaves nothing but its transcript: taken only if no other can be meant. */
function onlyNewOne(environment: Environment, { started, directory, segments }: EndedRun): FoundSession | undefined {
  if (flagsOf(segments).some(({ flag }) => flag.name === "worktree")) return undefined;
  const project = `${projectsDirectory(environment.claudeConfig)}/${projectDirectoryName(resolveLinks(directory))}`;
  const fresh = listDirectory(project)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => ({ id: name.slice(0, -".jsonl".length), transcriptPath: `${project}/${name}` }))
    .filter(({ transcriptPath }) => (fileFacts(transcriptPath)?.modified ?? 0) >= started)
    .filter(
      ({ id, transcriptPath }) => isSessionId(id) && findLiveClaude(environment, id, transcriptPath) === undefined,
    );
  return fresh.length === 1 ? fresh[0] : undefined;
}

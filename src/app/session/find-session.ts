import { flagsOf, hasFlag, type Segment, valueOf } from "../../claude/argv/flags.ts";
import { readEndReason } from "../../claude/hooks/session-end.ts";
import { parseLiveSession } from "../../claude/live-sessions.ts";
import {
  isClaudeSessionId,
  liveSessionsDirectory,
  projectDirectoryName,
  projectsDirectory,
  sessionOfFile,
  transcriptPath,
} from "../../claude/paths.ts";
import { isSessionId } from "../../core/session-id.ts";
import { fileFacts, listDirectory, readText, resolveLinks } from "../../io/files/read-file.ts";
import type { SessionEvent } from "../../store/cclaude/session-events.ts";
import type { Environment } from "../environment.ts";
import { holderFinder } from "./find-holder.ts";
import { findTranscript } from "./find-transcript.ts";

export interface FoundSession {
  id: string;
  transcriptPath: string;
}

export interface EndedClaude {
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly directory: string;
  readonly segments: readonly Segment[];
  /** Only those of this claude. */
  readonly events: readonly SessionEvent[];
}

/** The session of a claude that has ended; undefined when that is not certain. */
export function findEndedSession(environment: Environment, claude: EndedClaude): FoundSession | undefined {
  const last = claude.events.findLast(({ kind, detail }) => kind !== "end" || !isContinued(detail));
  const id = leftBehind(environment, claude.pid) ?? last?.sessionId ?? givenSession(claude.segments);
  if (id === undefined) return onlyNewSession(environment, claude);
  const known = last?.sessionId === id ? last.transcriptPath : null;
  const transcriptPath = known ?? findTranscript(environment, id);
  return transcriptPath === undefined ? undefined : { id, transcriptPath };
}

/** The event names the session that the process no longer holds. */
const isContinued = (reason: string | null): boolean => reason !== null && readEndReason(reason) === "continues";

/** Claude's own list of running processes still has those that were killed. */
function leftBehind({ claudeConfig }: Environment, pid: number): string | undefined {
  const session = parseLiveSession(readText(`${liveSessionsDirectory(claudeConfig)}/${pid}.json`) ?? "");
  return session && isSessionId(session.sessionId) ? session.sessionId : undefined;
}

/** The session that the arguments name. */
export function givenSession(segments: readonly Segment[]): string | undefined {
  const chosen = valueOf(segments, "session-id");
  const resumed = hasFlag(segments, "fork-session") ? undefined : valueOf(segments, "resume");
  return [chosen, resumed].find((id) => id !== undefined && isClaudeSessionId(id));
}

/** An old client that is killed before its first hook leaves only a transcript. It counts when it is the only new one. */
function onlyNewSession(
  environment: Environment,
  { started, directory, segments }: EndedClaude,
): FoundSession | undefined {
  if (flagsOf(segments).some(({ flag }) => flag.name === "worktree")) return undefined;
  const project = `${projectsDirectory(environment.claudeConfig)}/${projectDirectoryName(resolveLinks(directory))}`;
  const findHolder = holderFinder(environment);
  const fresh = listDirectory(project)
    .flatMap((name) => sessionOfFile(name) ?? [])
    .map((id) => ({ id, transcriptPath: transcriptPath(project, id) }))
    .filter(({ transcriptPath }) => (fileFacts(transcriptPath)?.modified ?? 0) >= started)
    .filter(({ id, transcriptPath }) => isSessionId(id) && findHolder(id, transcriptPath) === undefined);
  return fresh.length === 1 ? fresh[0] : undefined;
}

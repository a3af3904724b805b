import { projectDirectoryName } from "../../claude/paths.ts";
import { Failure } from "../../core/failure.ts";
import { isSessionId } from "../../core/session-id.ts";
import { fileFacts, resolveLinks } from "../../io/files/read-file.ts";
import { listSessionIds, viewSession } from "../../store/snapshots/session-view.ts";
import { isFileName, newestSnapshotHere } from "./choose-session.ts";
import type { Environment } from "../environment.ts";
import { listTranscripts } from "./find-transcript.ts";
import { locateTranscript } from "./locate-transcript.ts";
import { matchSession } from "./match-session.ts";

/** A transcript to verify or repair. */
export interface TranscriptTarget {
  path: string;
  /** Undefined when the file name is not a session id. */
  sessionId: string | undefined;
  /** Claude's own file, of which we take snapshots, and not a copy of it. */
  isOwn: boolean;
}

/** The transcript for an id, a prefix of one, or a file; default: the newest of this directory. */
export function chooseTranscript(environment: Environment, given: string | undefined, cwd: string): TranscriptTarget {
  if (given === undefined) return newestHere(environment, cwd);
  if (isFileName(given)) return targetOfFile(environment, given);
  if (!isSessionId(given)) throw new Failure("usage", `"${given.slice(0, 60)}" is neither a session id nor a file`);
  const match = matchSession([...listTranscripts(environment).keys(), ...listSessionIds(environment.paths)], given);
  if (match !== undefined) return targetOfSession(environment, match);
  throw new Failure("not-found", `no transcript of a session "${given}"`);
}

/** Throws when the transcript is gone; its snapshot may still exist. */
export function targetOfSession(environment: Environment, sessionId: string): TranscriptTarget {
  const path = ownPath(environment, sessionId);
  if (path !== undefined && fileFacts(path)) return { path: resolveLinks(path), sessionId, isOwn: true };
  throw new Failure("not-found", `the transcript of session ${sessionId} is gone`, {
    hint: `Restore it from its snapshot with: session-snapshot restore ${sessionId}`,
  });
}

function targetOfFile(environment: Environment, given: string): TranscriptTarget {
  const path = resolveLinks(given);
  if (!fileFacts(path)) throw new Failure("not-found", `there is no file ${given}`);
  const stem =
    path
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.jsonl$/, "") ?? "";
  const sessionId = isSessionId(stem) ? stem : undefined;
  const own = sessionId === undefined ? undefined : ownPath(environment, sessionId);
  return { path, sessionId, isOwn: own !== undefined && resolveLinks(own) === path };
}

const ownPath = (environment: Environment, sessionId: string): string | undefined =>
  locateTranscript(environment, sessionId, viewSession(environment.paths, sessionId)?.transcriptPath);

function newestHere(environment: Environment, cwd: string): TranscriptTarget {
  const slug = projectDirectoryName(resolveLinks(cwd));
  const [newest] = [...listTranscripts(environment)]
    .filter(([, path]) => path.split("/").at(-2) === slug)
    .map(([sessionId, path]) => ({ sessionId, modified: fileFacts(path)?.modified ?? 0 }))
    .sort((one, other) => other.modified - one.modified);
  if (newest) return targetOfSession(environment, newest.sessionId);
  const kept = newestSnapshotHere(environment, cwd);
  throw new Failure("not-found", "Claude has no transcript for this directory", {
    hint: kept
      ? `Restore the newest one from its snapshot with: session-snapshot restore ${kept}`
      : "Give a session id or a file, or --all.",
  });
}

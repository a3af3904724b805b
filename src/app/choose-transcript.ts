import { projectDirectoryName, projectsDirectory } from "../claude/paths.ts";
import { Failure } from "../core/failure.ts";
import { isSessionId } from "../core/session-id.ts";
import { fileFacts, listDirectory, resolveLinks } from "../io/read-file.ts";
import { listSessionIds, viewSession } from "../store/session-view.ts";
import { newestSnapshotHere } from "./choose-session.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";
import { matchSession } from "./match-session.ts";

/** A transcript that a person, or a program before it resumes, wants to have looked at. */
export interface TranscriptTarget {
  path: string;
  /** Undefined when the file is not named like one. */
  sessionId: string | undefined;
  /** It is what Claude resumes and we take snapshots of, and not a copy somewhere. */
  isOwn: boolean;
}

/** An id, the beginning of one, or a file; unsaid, the newest transcript of this directory. */
export function chooseTranscript(environment: Environment, given: string | undefined, cwd: string): TranscriptTarget {
  if (given === undefined) return newestHere(environment, cwd);
  if (/[\\/]|\.jsonl$/.test(given)) return targetOfFile(environment, given);
  if (!isSessionId(given)) throw new Failure("usage", `"${given.slice(0, 60)}" is neither a session id nor a file`);
  const match = matchSession([...listTranscripts(environment).keys(), ...listSessionIds(environment.paths)], given);
  if (match !== undefined) return targetOfSession(environment, match);
  throw new Failure("not-found", `no transcript of a session "${given}"`);
}

/** Throws when the transcript is gone; its snapshot may be there all the same. */
export function targetOfSession(environment: Environment, sessionId: string): TranscriptTarget {
  const view = viewSession(environment.paths, sessionId);
  const known = typeof view === "string" ? undefined : view.transcriptPath;
  const path = known && fileFacts(known) ? known : findTranscript(environment, sessionId);
  if (path !== undefined) return { path: resolveLinks(path), sessionId, isOwn: true };
  throw new Failure("not-found", `the transcript of session ${sessionId} is gone`, {
    hint: `Its snapshot is there: session-snapshot restore ${sessionId} brings it back.`,
  });
}

/** Every transcript in Claude's directory, by session. */
export function listTranscripts({ claudeConfig }: Environment): Map<string, string> {
  const projects = projectsDirectory(claudeConfig);
  const found = new Map<string, string>();
  for (const project of listDirectory(projects)) {
    for (const name of listDirectory(`${projects}/${project}`)) {
      const id = name.replace(/\.jsonl$/, "");
      if (id !== name && isSessionId(id)) found.set(id, `${projects}/${project}/${name}`);
    }
  }
  return found;
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

function ownPath(environment: Environment, sessionId: string): string | undefined {
  const view = viewSession(environment.paths, sessionId);
  return typeof view === "string" ? findTranscript(environment, sessionId) : view.transcriptPath;
}

function newestHere(environment: Environment, cwd: string): TranscriptTarget {
  const slug = projectDirectoryName(resolveLinks(cwd));
  const [newest] = [...listTranscripts(environment)]
    .filter(([, path]) => path.split("/").at(-2) === slug)
    .map(([sessionId, path]) => ({ sessionId, modified: fileFacts(path)?.modified ?? 0 }))
    .sort((one, other) => other.modified - one.modified);
  if (newest) return targetOfSession(environment, newest.sessionId);
  const kept = newestSnapshotHere(environment, cwd);
  throw new Failure("not-found", "Claude has no transcript of this directory", {
    hint: kept
      ? `There is a snapshot of one: session-snapshot restore ${kept} brings it back.`
      : "Give a session id or a file, or --all.",
  });
}

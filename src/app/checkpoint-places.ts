import { checkpointsDirectory, memoryDirectory, projectDirectoryName, projectsDirectory } from "../claude/paths.ts";
import { isSessionId } from "../core/session-id.ts";
import { findRoot } from "../io/git-files.ts";
import { isDirectory, parentOf, resolveLinks } from "../io/read-file.ts";
import type { CheckpointPlaces } from "../store/checkpoints.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";

/** Where a session's checkpoint belongs: beside its transcript, which Claude names; else where Claude would put it. */
export function placesOfSession(
  { claudeConfig }: Environment,
  transcriptPath: string | undefined,
  directory: string,
): CheckpointPlaces {
  const projects = projectsDirectory(claudeConfig);
  const beside = transcriptPath === undefined ? undefined : parentOf(transcriptPath);
  const named = beside !== undefined && parentOf(beside) === projects && !/[\\/]\.{1,2}$/.test(beside);
  const project = named ? beside : `${projects}/${projectDirectoryName(resolveLinks(directory))}`;
  return { memory: memoryDirectory(project), shared: checkpointsDirectory(claudeConfig) };
}

/** The session whose Claude started us, when one did. */
function callingSession({ variables }: Environment): string | null {
  const id = variables["CLAUDE_CODE_SESSION_ID"];
  return id !== undefined && isSessionId(id) ? id : null;
}

export interface Here {
  places: CheckpointPlaces;
  directory: string;
  sessionId: string | null;
}

/** For a command: the session that called it, else the directory, or the top of its repository where Claude was used. */
export function placesHere(environment: Environment, cwd: string): Here {
  const sessionId = callingSession(environment);
  const transcript = sessionId === null ? undefined : findTranscript(environment, sessionId);
  const real = resolveLinks(cwd);
  const top = findRoot(real);
  const projects = projectsDirectory(environment.claudeConfig);
  const used = (path: string): boolean => isDirectory(`${projects}/${projectDirectoryName(path)}`);
  const directory = top !== undefined && !used(real) && used(top) ? top : real;
  return { places: placesOfSession(environment, transcript, directory), directory, sessionId };
}

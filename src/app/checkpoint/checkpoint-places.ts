import { sessionIdIn } from "../../claude/environment.ts";
import { checkpointsDirectory, memoryDirectory, projectDirectoryName, projectsDirectory } from "../../claude/paths.ts";
import { isSessionId } from "../../core/session-id.ts";
import { findRoot } from "../../io/git/git-files.ts";
import { isDirectory, parentOf, resolveLinks } from "../../io/files/read-file.ts";
import type { CheckpointPlaces } from "../../store/checkpoints/checkpoints.ts";
import type { Environment } from "../environment.ts";
import { findTranscript } from "../session/find-transcript.ts";

/** Beside the session's transcript if its path is known, otherwise in the project directory that Claude would choose. */
export function placesOfSession(
  { claudeConfig }: Environment,
  transcriptPath: string | undefined,
  directory: string,
): CheckpointPlaces {
  const projects = projectsDirectory(claudeConfig);
  const given = transcriptPath === undefined ? undefined : parentOf(transcriptPath);
  const isProject = given !== undefined && parentOf(given) === projects && !/[\\/]\.{1,2}$/.test(given);
  const project = isProject ? given : `${projects}/${projectDirectoryName(resolveLinks(directory))}`;
  return { memory: memoryDirectory(project), shared: checkpointsDirectory(claudeConfig) };
}

/** The session of the Claude that started this command, if any. */
function callingSession({ variables }: Environment): string | null {
  const id = sessionIdIn(variables);
  return id !== undefined && isSessionId(id) ? id : null;
}

export interface CommandPlaces {
  places: CheckpointPlaces;
  directory: string;
  sessionId: string | null;
}

/** For a command: the calling session, else the directory, else the repository root if Claude was used only there. */
export function placesHere(environment: Environment, cwd: string): CommandPlaces {
  const sessionId = callingSession(environment);
  const transcript = sessionId === null ? undefined : findTranscript(environment, sessionId);
  const real = resolveLinks(cwd);
  const top = findRoot(real);
  const projects = projectsDirectory(environment.claudeConfig);
  const isUsed = (path: string): boolean => isDirectory(`${projects}/${projectDirectoryName(path)}`);
  const directory = top !== undefined && !isUsed(real) && isUsed(top) ? top : real;
  return { places: placesOfSession(environment, transcript, directory), directory, sessionId };
}

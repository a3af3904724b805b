import { isBelow, nameInProject, projectsDirectory } from "../../claude/paths.ts";
import { fileSize, resolveLinks } from "../../io/files/read-file.ts";
import type { Environment } from "../environment.ts";
import { findTranscript, listTranscripts } from "./find-transcript.ts";

/**
 * Where the transcript of a session is, or belongs when it is missing. The path in our records is only a hint, because HOME,
 * `~/.claude` or CLAUDE_CONFIG_DIR may have changed since. Claude's present directory comes first. A recorded path outside
 * it counts only while the file exists, as with a second CLAUDE_CONFIG_DIR. Undefined when nothing is known.
 */
export function locateTranscript(
  environment: Environment,
  sessionId: string,
  recorded: string | undefined,
  find: (sessionId: string) => string | undefined = (id) => findTranscript(environment, id),
): string | undefined {
  const isPresent = recorded ? isInClaudeDirectory(environment, recorded) : false;
  if (recorded && isPresent && exists(recorded)) return recorded;
  const found = find(sessionId);
  if (found !== undefined || !recorded) return found;
  if (isPresent || exists(recorded)) return recorded;
  return `${projectsDirectory(environment.claudeConfig)}/${nameInProject(recorded)}`;
}

export type TranscriptLocator = (sessionId: string, recorded: string | undefined) => string | undefined;

/** For many sessions: reads Claude's directory once. */
export function transcriptLocator(environment: Environment): TranscriptLocator {
  let all: Map<string, string> | undefined;
  const find = (id: string): string | undefined => (all ??= listTranscripts(environment)).get(id);
  return (sessionId, recorded) => locateTranscript(environment, sessionId, recorded, find);
}

const exists = (path: string): boolean => fileSize(path) !== undefined;

function isInClaudeDirectory({ claudeConfig }: Environment, path: string): boolean {
  const projects = projectsDirectory(claudeConfig);
  return isBelow(projects, path) || isBelow(resolveLinks(projects), path);
}

import {
  isClaudeSessionId,
  projectDirectoryName,
  projectsDirectory,
  sessionOfFile,
  transcriptPath,
} from "../../claude/paths.ts";
import { fileFacts, listDirectory, resolveLinks } from "../../io/files/read-file.ts";
import type { Environment } from "../environment.ts";

export interface Conversation {
  readonly sessionId: string;
  readonly path: string;
  readonly modified: number;
}

/** Claude's conversations of a directory, newest first. */
export function listConversations({ claudeConfig }: Environment, directory: string): Conversation[] {
  const project = `${projectsDirectory(claudeConfig)}/${projectDirectoryName(resolveLinks(directory))}`;
  return listDirectory(project)
    .flatMap((name) => sessionOfFile(name) ?? [])
    .filter(isClaudeSessionId)
    .flatMap((sessionId): Conversation[] => {
      const path = transcriptPath(project, sessionId);
      const facts = fileFacts(path);
      return facts ? [{ sessionId, path, modified: facts.modified }] : [];
    })
    .sort((one, other) => other.modified - one.modified);
}

import { isExitLine, type LiveSession } from "../../claude/live-sessions.ts";
import { liveSessionsDirectory } from "../../claude/paths.ts";
import { isSessionId } from "../../core/session-id.ts";
import { withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";
import type { Environment } from "../environment.ts";
import { isAlive, listLiveSessions } from "../session/live-session.ts";

/** The claudes of this directory that were killed in a terminal, as with the machine: they left their session file. */
export const listLeftClaudes = ({ claudeConfig, cwd }: Environment): LiveSession[] =>
  listLiveSessions(liveSessionsDirectory(claudeConfig)).filter(
    (session) =>
      session.directory === cwd && session.isInteractive && isSessionId(session.sessionId) && !isAlive(session),
  );

/** A later claude continued the conversation and exited by itself. */
export const wasEndedSince = (transcriptPath: string): boolean =>
  withFile(transcriptPath, ({ fd, size }) => {
    for (const line of linesBackwards(fd, size)) return isExitLine(line);
    return false;
  }) ?? false;

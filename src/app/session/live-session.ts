import { type LiveSession, parseLiveSession } from "../../claude/live-sessions.ts";
import { configDirectoryOf, liveSessionsDirectory } from "../../claude/paths.ts";
import { identifyProcess } from "../../io/process/process.ts";
import { listDirectory, readText } from "../../io/files/read-file.ts";
import type { Environment } from "../environment.ts";

/**
 * The pid of the running claude that holds a session; a file left by a dead claude does not count. Searches our own
 * CLAUDE_CONFIG_DIR and the one of the transcript, since that claude may have been started with another.
 */
export function findLiveClaude(
  { claudeConfig }: Environment,
  sessionId: string,
  transcriptPath: string | undefined,
): number | undefined {
  const configs = new Set([claudeConfig, ...(transcriptPath ? [configDirectoryOf(transcriptPath)] : [])]);
  for (const config of configs) {
    const pid = findIn(liveSessionsDirectory(config), sessionId);
    if (pid !== undefined) return pid;
  }
  return undefined;
}

const findIn = (directory: string, sessionId: string): number | undefined =>
  listLiveSessions(directory).find((session) => session.sessionId === sessionId && isAlive(session))?.pid;

/** Also those whose claude is dead: check with `isAlive`. */
export const listLiveSessions = (directory: string): LiveSession[] =>
  listDirectory(directory)
    .filter((entry) => /^\d+\.json$/.test(entry))
    .flatMap((name) => parseLiveSession(readText(`${directory}/${name}`) ?? "") ?? []);

// The start time tells whether the pid belongs to another program by now. Where the two times are not comparable
// (only Linux was seen to write ticks), a running pid counts as Claude, since refusing is safe.
export function isAlive({ pid, startTime }: LiveSession): boolean {
  const process = identifyProcess(pid);
  if (!process) return false;
  const comparable = startTime !== undefined && /^\d+$/.test(startTime) && /^\d+$/.test(process.startTime);
  return !comparable || process.startTime === startTime;
}

import { parseLiveSession } from "../claude/live-sessions.ts";
import { configDirectoryOf, liveSessionsDirectory } from "../claude/paths.ts";
import { identifyProcess } from "../io/process.ts";
import { listDirectory, readText } from "../io/read-file.ts";
import type { Environment } from "./environment.ts";

/**
 * The running claude that holds a session, by its pid; a file left by a dead one does not count. Looked for where this
 * process would look, and where the transcript lies: whoever started that claude may have had another CLAUDE_CONFIG_DIR.
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

function findIn(directory: string, sessionId: string): number | undefined {
  for (const name of listDirectory(directory).filter((entry) => /^\d+\.json$/.test(entry))) {
    const session = parseLiveSession(readText(`${directory}/${name}`) ?? "");
    if (session?.sessionId === sessionId && isRunning(session.pid, session.startTime)) return session.pid;
  }
  return undefined;
}

// The pid may be another program's by now; its start time tells. Where the two times are not of one kind
// (only Linux was seen to write ticks), a living pid is taken for Claude: refusing is the safe side.
function isRunning(pid: number, startTime: string | undefined): boolean {
  const process = identifyProcess(pid);
  if (!process) return false;
  const comparable = startTime !== undefined && /^\d+$/.test(startTime) && /^\d+$/.test(process.startTime);
  return !comparable || process.startTime === startTime;
}

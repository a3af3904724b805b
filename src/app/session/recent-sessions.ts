import { fileFacts, readText } from "../../io/files/read-file.ts";
import { listSessionIds } from "../../store/snapshots/session-view.ts";
import { parseState } from "../../store/snapshots/snapshot-state.ts";
import { titleOfSession } from "./session-title.ts";
import type { Environment } from "../environment.ts";

export interface RecentSession {
  readonly sessionId: string;
  /** Its working directory; undefined when no hook reported it. */
  readonly directory: string | undefined;
  /** Claude's title, else the first prompt. */
  readonly title: string | undefined;
  /** When its snapshot last changed, in milliseconds since 1970. */
  readonly modified: number;
}

/** The sessions with the newest snapshots, newest first. Reads only their state files, and the ends of their transcripts. */
export function recentSessions({ paths }: Environment, maxSessions: number, skip = 0): RecentSession[] {
  return listSessionIds(paths)
    .map((sessionId) => ({ sessionId, modified: fileFacts(paths.state(sessionId))?.modified ?? 0 }))
    .sort((a, b) => b.modified - a.modified)
    .slice(skip, skip + maxSessions)
    .map(({ sessionId, modified }) => {
      const state = parseState(readText(paths.state(sessionId)) ?? "", sessionId);
      return { sessionId, modified, directory: state?.cwd, title: titleOfSession(state?.transcriptPath, undefined) };
    });
}

import { sessionStartOutput } from "../../claude/hooks/session-start.ts";
import { nothingLost } from "../../core/restart/lost-work.ts";
import { lostWorkMessage } from "../../core/restart/context-message.ts";
import { lostWork } from "../resume/lost-work.ts";
import { messageAboutRestore } from "../snapshot/restore-note.ts";
import type { Environment } from "../environment.ts";

interface Resumed {
  readonly sessionId: string;
  readonly transcriptPath: string;
  /** Its prompt does not tell what its conversation lacks. */
  readonly isUntold: boolean;
}

/** What Claude must learn when the user resumes a session; undefined when its conversation lacks nothing. */
export function tellResumed(environment: Environment, resumed: Resumed): string | undefined {
  const { sessionId, transcriptPath, isUntold } = resumed;
  const lost = isUntold ? lostWork(environment, sessionId, transcriptPath) : nothingLost;
  const context = messageAboutRestore(environment, { sessionId, path: transcriptPath, lost }) ?? lostWorkMessage(lost);
  return context === undefined ? undefined : sessionStartOutput({ context });
}

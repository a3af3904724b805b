import { sessionStartOutput } from "../../claude/hooks/session-start.ts";
import { nothingLost } from "../../core/restart/lost-work.ts";
import { lostWorkMessage, movedMessage } from "../../core/restart/context-message.ts";
import { lostWork } from "../resume/lost-work.ts";
import { untoldMove } from "../session/project-move.ts";
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
  const work = messageAboutRestore(environment, { sessionId, path: transcriptPath, lost }) ?? lostWorkMessage(lost);
  const move = untoldMove(environment, sessionId, transcriptPath);
  const parts = [...(work === undefined ? [] : [work]), ...(move === undefined ? [] : [movedMessage(move)])];
  return parts.length === 0 ? undefined : sessionStartOutput({ context: parts.join("\n\n") });
}

import { sessionStartOutput } from "../../claude/hooks/session-start.ts";
import { lostStepsMessage } from "../../core/restart/context-message.ts";
import { lostSteps } from "../resume/lost-steps.ts";
import { messageAboutRestore } from "../snapshot/restore-note.ts";
import type { Environment } from "../environment.ts";

interface Resumed {
  readonly sessionId: string;
  readonly transcriptPath: string;
  /** The session has recorded tool calls, and its prompt does not tell about them. */
  readonly hasSteps: boolean;
}

/** What Claude must learn when the user resumes a session; undefined when its conversation lacks nothing. */
export function tellResumed(environment: Environment, resumed: Resumed): string | undefined {
  const { sessionId, transcriptPath, hasSteps } = resumed;
  const lost = hasSteps ? lostSteps(environment, sessionId, transcriptPath) : [];
  const context = messageAboutRestore(environment, { sessionId, path: transcriptPath, lost }) ?? lostStepsMessage(lost);
  return context === undefined ? undefined : sessionStartOutput({ context });
}

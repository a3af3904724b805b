import { fileSize } from "../../io/files/read-file.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Environment } from "../environment.ts";
import { logProblem } from "../program-log.ts";
import { repairBeforeResume } from "../repair/repair-before-resume.ts";
import { targetOfSession } from "../session/choose-transcript.ts";
import type { FoundSession } from "../session/find-session.ts";
import { findHolder } from "../session/find-holder.ts";

export type Readiness = "ready" | "repaired" | "went-on-elsewhere";

/**
 * The last check before a session is resumed, possibly hours after its claude ended. Two claudes on one session write two
 * branches, and the next claude sees only one of them. Claude silently drops damaged parts of a transcript.
 */
export async function prepareResume(
  environment: Environment,
  session: FoundSession,
  sizeAtEnd: number | undefined,
): Promise<Readiness> {
  if (findHolder(environment, session.id, session.transcriptPath) !== undefined) return "went-on-elsewhere";
  if (fileSize(session.transcriptPath) !== sizeAtEnd) return "went-on-elsewhere";
  return (await repairIfSafe(environment, session.id)) ? "repaired" : "ready";
}

/** Never fails: a transcript that cannot be checked or repaired is resumed as it is, since Claude reads around most damage. */
export async function repairIfSafe(environment: Environment, sessionId: string): Promise<boolean> {
  try {
    return (await repairBeforeResume(environment, targetOfSession(environment, sessionId))) === "repaired";
  } catch (error) {
    logProblem(environment, `resuming session ${sessionId} as it is: ${messageOf(error)}`);
    return false;
  }
}

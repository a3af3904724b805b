import { fileSize } from "../io/read-file.ts";
import { targetOfSession } from "./choose-transcript.ts";
import type { Environment } from "./environment.ts";
import type { FoundSession } from "./find-session.ts";
import { logProblem } from "./hook-log.ts";
import { findLiveClaude } from "./live-session.ts";
import { repairTranscript } from "./repair.ts";
import { verifyTranscript } from "./verify.ts";

export type Readiness = "ready" | "repaired" | "went-on-elsewhere";

/**
 * The last look before a session is resumed, after however long a wait: nobody else may have gone on with it, for two claudes
 * on one session make branches of which the next one sees only one; and what is broken in it, Claude would drop in silence.
 */
export async function prepareResume(
  environment: Environment,
  session: FoundSession,
  sizeAtEnd: number | undefined,
): Promise<Readiness> {
  if (findLiveClaude(environment, session.id, session.transcriptPath) !== undefined) return "went-on-elsewhere";
  if (fileSize(session.transcriptPath) !== sizeAtEnd) return "went-on-elsewhere";
  return (await mendWhenSafe(environment, session.id)) ? "repaired" : "ready";
}

/** A hook of the claude that has died may still be at work, on a slow disk for long. */
const patience = 30_000;

/** What cannot be checked or mended is resumed as it is: Claude reads around most of it. */
export async function mendWhenSafe(environment: Environment, sessionId: string): Promise<boolean> {
  try {
    return await mend(environment, sessionId);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    logProblem(environment, `session ${sessionId} is resumed as it is: ${why}`);
    return false;
  }
}

/** Safe is: all that is wrong can be mended, and none of it may be what somebody took out on purpose. */
async function mend(environment: Environment, sessionId: string): Promise<boolean> {
  const target = targetOfSession(environment, sessionId);
  const { damaged, defects } = verifyTranscript(environment, target);
  if (!damaged) return false;
  const damage = defects.filter(({ severity }) => severity === "damage");
  if (damage.some(({ kind, repair }) => repair === null || kind === "lost-records")) return false;
  await repairTranscript(environment, { target, force: false, dryRun: false, patience });
  return true;
}

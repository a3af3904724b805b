import { hasFlag, type Segment } from "../../claude/argv/flags.ts";
import type { Environment } from "../environment.ts";
import { bringBack } from "../resume/bring-back.ts";
import type { RecoveryEvent } from "../resume/recovery-events.ts";
import { givenSession } from "../session/find-session.ts";

const restoredMessage = "the transcript was lost; restored it from its snapshot";

/**
 * Restores or repairs the conversation that the user resumes by its id. Without its transcript claude finds no conversation, and in a
 * damaged one it drops parts.
 */
export async function bringBackGiven(
  environment: Environment,
  segments: readonly Segment[],
  announce: (event: RecoveryEvent, sessionId: string) => void,
): Promise<void> {
  const sessionId = givenSession(segments);
  if (sessionId === undefined || !hasFlag(segments, "resume")) return;
  const brought = await bringBack(environment, sessionId);
  if (brought === "restored") announce({ kind: "trouble", message: restoredMessage }, sessionId);
  if (brought === "repaired") announce({ kind: "repaired" }, sessionId);
}

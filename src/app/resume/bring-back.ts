import { messageOf } from "../../core/message-of.ts";
import type { Environment } from "../environment.ts";
import { logProblem } from "../program-log.ts";
import { ensureConversation } from "./ensure-conversation.ts";
import { repairIfSafe } from "./prepare-resume.ts";

/** `unknown`: the check itself failed; the log says why. */
export type BroughtBack = "whole" | "restored" | "repaired" | "absent" | "unknown";

/** Restores or repairs a conversation before claude resumes it. Never throws: claude reports what it finds. */
export async function bringBack(environment: Environment, sessionId: string): Promise<BroughtBack> {
  try {
    const { kind } = await ensureConversation(environment, sessionId);
    if (kind === "restored") return kind;
    if (kind !== "present") return "absent";
    return (await repairIfSafe(environment, sessionId)) ? "repaired" : "whole";
  } catch (error) {
    logProblem(environment, messageOf(error));
    return "unknown";
  }
}

import { Failure } from "../../core/failure.ts";
import type { Digest } from "../../core/restart/context-message.ts";
import type { SafePoint } from "../../core/snapshot/restore-point.ts";
import type { Environment } from "../environment.ts";
import type { FoundSession } from "../session/find-session.ts";
import { repairIfSafe } from "./prepare-resume.ts";
import { restoreSession } from "../snapshot/restore.ts";

/** A restore to an earlier point, and a digest of what the transcript had after it. */
export interface RestoreToFit extends Pick<SafePoint, "size" | "tokens" | "time" | "turn"> {
  readonly mark: number | null;
  readonly digest: Digest | undefined;
}

/** Restores an overloaded session to the newest point that fits; undefined when none does. `earlier`: the previous such restore. `maxTokens`: fewer than fit. */
export async function restoreToFit(
  environment: Environment,
  { id: sessionId }: FoundSession,
  earlier: RestoreToFit | undefined,
  maxTokens?: number,
): Promise<RestoreToFit | undefined> {
  try {
    const limit = maxTokens === undefined ? {} : { maxTokens };
    const choice = { kind: "fit", overload: { previous: earlier }, ...limit } as const;
    const { plan, after } = await restoreSession(environment, { sessionId, choice, force: false, tellsClaude: true });
    // Claude silently drops damaged parts.
    await repairIfSafe(environment, sessionId);
    const { size, time, turn, contextTokens: tokens } = plan.point;
    return { size, time, tokens, turn: turn ?? 0, mark: plan.mark?.n ?? null, digest: after };
  } catch (error) {
    if (error instanceof Failure && error.kind === "not-found") return undefined;
    throw error;
  }
}

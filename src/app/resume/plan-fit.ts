import { Failure } from "../../core/failure.ts";
import type { FittingPoint } from "../../core/host/host-line.ts";
import type { Environment } from "../environment.ts";
import { measureCut } from "../snapshot/restore-note.ts";
import { planRestore } from "../snapshot/restore.ts";
import type { RestoreToFit } from "./restore-to-fit.ts";

export { describePoint } from "../../core/host/host-line.ts";

/** Where `restoreToFit` would put a full conversation; undefined when no point fits. Changes nothing. */
export function planFit(
  environment: Environment,
  sessionId: string,
  previous: Pick<RestoreToFit, "size" | "tokens"> | undefined,
): FittingPoint | undefined {
  try {
    const choice = { kind: "fit", overload: { previous } } as const;
    const { target, point } = planRestore(environment, { sessionId, choice, force: false });
    const { time, turn, contextTokens: tokens, size } = point;
    const { lastPrompt, ...after } = measureCut(target, size);
    return { time, turn, tokens, after, lastPrompt };
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

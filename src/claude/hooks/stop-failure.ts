import type { FinalError } from "../../core/restart/final-error.ts";
import { readErrorName } from "../limits/api-error.ts";

/** What the error of a StopFailure hook means; undefined when it does not say why claude ended. */
export function readStopFailure(error: string): FinalError | undefined {
  const kind = readErrorName(error);
  return kind === "limit" ? { kind, resetsAt: undefined } : kind && { kind };
}

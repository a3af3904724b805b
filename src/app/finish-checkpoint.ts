import type { RunPlan } from "../core/run-record.ts";
import { placesOfSession } from "./checkpoint-places.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";
import { recordSighting } from "./hook-checkpoint.ts";
import { logProblem } from "./hook-log.ts";

/** A task that a run has done is nothing that the next session should be asked to continue. Good to have: no trouble with it is the run's. */
export async function finishCheckpoint(environment: Environment, { sessionId, cwd }: RunPlan): Promise<void> {
  try {
    const places = placesOfSession(environment, findTranscript(environment, sessionId), cwd);
    await recordSighting(environment, places, () => ({
      sessionId,
      directory: cwd,
      reason: "run-done",
      evidence: [{ kind: "finished" }],
    }));
  } catch (error) {
    logProblem(environment, error instanceof Error ? error.message : String(error));
  }
}

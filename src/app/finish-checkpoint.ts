import type { RunPlan } from "../core/run-record.ts";
import { placesOfSession } from "./checkpoint-places.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";
import { inside, recordSighting } from "./hook-checkpoint.ts";
import { logProblem } from "./hook-log.ts";

/** A task that a run has done is nothing that the next session should be asked to continue. Good to have: no trouble with it is the run's. */
export async function finishCheckpoint(
  environment: Environment,
  { sessionId, cwd }: RunPlan,
  files: readonly string[],
): Promise<void> {
  try {
    const places = placesOfSession(environment, findTranscript(environment, sessionId), cwd);
    await recordSighting(environment, places, (before) => {
      // A claude that ends may take the hooks of its last edits along; the stream has told of them.
      const own = before?.sessionId === sessionId ? files : [];
      const edits = own.map((file) => ({ kind: "edit", file: inside(cwd, file) }) as const);
      return { sessionId, directory: cwd, reason: "run-done", evidence: [...edits, { kind: "finished" }] };
    });
  } catch (error) {
    logProblem(environment, error instanceof Error ? error.message : String(error));
  }
}

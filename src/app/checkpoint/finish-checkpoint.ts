import type { RunPlan } from "../../core/run/run-record.ts";
import { placesOfSession } from "./checkpoint-places.ts";
import type { Environment } from "../environment.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { inside, recordSighting } from "./record-milestones.ts";
import { logProblem } from "../program-log.ts";
import { messageOf } from "../../core/message-of.ts";

/** Marks the checkpoint of a finished run, so that no later session offers to continue it. Best effort: errors are only logged. */
export async function finishCheckpoint(
  environment: Environment,
  { sessionId, cwd }: RunPlan,
  files: readonly string[],
): Promise<void> {
  try {
    const places = placesOfSession(environment, findTranscript(environment, sessionId), cwd);
    await recordSighting(environment, places, (before) => {
      // A claude that exits may kill the hooks of its last edits, but the stream has reported those edits.
      const own = before?.sessionId === sessionId ? files : [];
      const edits = own.map((file) => ({ kind: "edit", file: inside(cwd, file) }) as const);
      return { sessionId, directory: cwd, reason: "run-done", evidence: [...edits, { kind: "finished" }] };
    });
  } catch (error) {
    logProblem(environment, messageOf(error));
  }
}

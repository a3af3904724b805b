import { readShownCalls } from "../../claude/transcript/shown-calls.ts";
import { isContextMessage } from "../../core/restart/context-message.ts";
import { findLostSteps, type ShownCalls } from "../../core/restart/lost-steps.ts";
import { type LostWork, nothingLost } from "../../core/restart/lost-work.ts";
import type { Variables } from "../../core/variables.ts";
import { withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";
import { readArrivalNote } from "../../store/session-notes/arrival-notes.ts";
import { readSteps } from "../../store/session-notes/read-steps.ts";
import { bestEffort } from "../best-effort.ts";
import { type Environment, toldVariable } from "../environment.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { takeDeadSubagents } from "./lost-subagents.ts";

/** The search covers this much of the end. A result before it counts as lost, which only tells Claude once more. */
const maxSearchBytes = 16_000_000;

const nothingShown: ShownCalls = { answeredAt: null, results: new Set(), open: [] };

/** Tells the hook of a claude that starts with these words that its prompt already names the lost calls; empty when it does not. */
export function toldVariables(words: readonly string[], sessionId: string | undefined): Variables {
  return sessionId !== undefined && words.some(isContextMessage) ? { [toldVariable]: sessionId } : {};
}

/**
 * What the conversation lacks, for a message to Claude that the caller now makes. Call it after a repair or restore. Best effort: its
 * failure is only logged.
 */
export function lostWork(environment: Environment, sessionId: string, path?: string): LostWork {
  const read = (): LostWork => {
    const steps = readSteps(environment.paths, sessionId);
    const transcript = path ?? findTranscript(environment, sessionId);
    const ids = steps.map(({ id }) => id);
    const shown =
      transcript === undefined
        ? undefined
        : withFile(transcript, ({ fd, size }) => readShownCalls(linesBackwards(fd, size, maxSearchBytes), ids));
    const takeSubagents = (): LostWork["subagents"] =>
      transcript === undefined
        ? []
        : takeDeadSubagents(environment, sessionId, { path: transcript, answeredAt: shown?.answeredAt ?? null });
    const arrival = readArrivalNote(environment.paths, sessionId);
    return {
      // Claude has not answered since.
      arrival: arrival && arrival.answeredAt === (shown?.answeredAt ?? null) ? arrival : undefined,
      steps: findLostSteps(steps, shown ?? nothingShown),
      subagents: bestEffort(environment, takeSubagents, []),
    };
  };
  return bestEffort(environment, read, nothingLost);
}

import { readShownCalls } from "../../claude/transcript/shown-calls.ts";
import { isContextMessage } from "../../core/restart/context-message.ts";
import { findLostSteps, type ShownCalls } from "../../core/restart/lost-steps.ts";
import type { ToolStep } from "../../core/restart/tool-step.ts";
import type { Variables } from "../../core/variables.ts";
import { withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";
import { readSteps } from "../../store/session-notes/read-steps.ts";
import { bestEffort } from "../best-effort.ts";
import { type Environment, toldVariable } from "../environment.ts";
import { findTranscript } from "../session/find-transcript.ts";

/** The search covers this much of the end. A result before it counts as lost, which only tells Claude once more. */
const maxSearchBytes = 16_000_000;

const nothingShown: ShownCalls = { answeredAt: null, results: new Set(), open: [] };

/** Tells the hook of a claude that starts with these words that its prompt already names the lost calls; empty when it does not. */
export function toldVariables(words: readonly string[], sessionId: string | undefined): Variables {
  return sessionId !== undefined && words.some(isContextMessage) ? { [toldVariable]: sessionId } : {};
}

/** The tool calls whose result the transcript lacks. Call it after a repair or restore. Best effort: its failure is only logged. */
export function lostSteps(environment: Environment, sessionId: string, path?: string): ToolStep[] {
  const read = (): ToolStep[] => {
    const steps = readSteps(environment.paths, sessionId);
    const transcript = path ?? findTranscript(environment, sessionId);
    const ids = steps.map(({ id }) => id);
    const shown =
      transcript === undefined
        ? undefined
        : withFile(transcript, ({ fd, size }) => readShownCalls(linesBackwards(fd, size, maxSearchBytes), ids));
    return findLostSteps(steps, shown ?? nothingShown);
  };
  return bestEffort(environment, read, []);
}

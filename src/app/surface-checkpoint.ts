import type { HookPayload } from "../claude/hook-payload.ts";
import { type Checkpoint, isWorthTelling } from "../core/checkpoint.ts";
import { readCheckpointSettings } from "../core/checkpoint-settings.ts";
import { checkpointContext, surfacingLine } from "../core/checkpoint-text.ts";
import { readText, resolveLinks } from "../io/read-file.ts";
import { loadCheckpoint, loadLatest } from "../store/checkpoints.ts";
import { placesOfSession } from "./checkpoint-places.ts";
import type { Environment } from "./environment.ts";
import { logProblem } from "./hook-log.ts";
import { findLiveClaude } from "./live-session.ts";

/** What SessionStart prints for Claude; undefined when there is nothing to say. */
export function surfaceCheckpoint(environment: Environment, payload: HookPayload): string | undefined {
  const { source, sessionId, transcriptPath } = payload;
  const directory = environment.variables["CLAUDE_PROJECT_DIR"] || payload.cwd;
  if (directory === undefined) return undefined;
  const places = placesOfSession(environment, transcriptPath, directory);
  const here = careful(environment, () => loadCheckpoint(places));
  const now = environment.now();
  if (source === "compact") {
    if (here?.sessionId !== sessionId || (here.goal ?? here.next) === null) return undefined;
    return output({ context: checkpointContext(here, { now, sessionId, why: "compacted", elsewhere: false }) });
  }
  if (source !== "startup" && source !== "clear") return undefined;
  const { staleDays } = readCheckpointSettings(readText(environment.paths.config), environment.variables).settings;
  const worth = (checkpoint: Checkpoint | undefined): checkpoint is Checkpoint =>
    checkpoint !== undefined &&
    checkpoint.sessionId !== sessionId &&
    isWorthTelling(checkpoint, now, staleDays) &&
    // After /clear the process that had the old session is the one that now starts the new one.
    (source === "clear" || !isAtWork(environment, checkpoint));
  const latest = worth(here) ? undefined : careful(environment, () => loadLatest(places.shared));
  const told = worth(here) ? here : worth(latest) ? latest : undefined;
  if (!told) return undefined;
  const elsewhere = resolveLinks(told.where.directory) !== resolveLinks(directory);
  return output({
    // Without a terminal there is nobody to ask.
    line: isAttended(environment) ? surfacingLine(told, elsewhere) : undefined,
    context: checkpointContext(told, { now, sessionId, why: "new-session", elsewhere }),
  });
}

function output({ line, context }: { line?: string | undefined; context: string }): string {
  return JSON.stringify({
    ...(line === undefined ? {} : { systemMessage: line }),
    hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: context },
  });
}

/** `claude -p` and the SDKs name themselves otherwise. */
const isAttended = ({ variables }: Environment): boolean => !variables["CLAUDE_CODE_ENTRYPOINT"]?.startsWith("sdk");

/** Another terminal is at it right now: nothing to go on with. */
const isAtWork = (environment: Environment, { sessionId }: Checkpoint): boolean =>
  sessionId !== null && findLiveClaude(environment, sessionId, undefined) !== undefined;

/** What is refused is for `doctor` to tell, not for the session to fail on. */
function careful(environment: Environment, load: () => Checkpoint | undefined): Checkpoint | undefined {
  try {
    return load();
  } catch (error) {
    logProblem(environment, error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

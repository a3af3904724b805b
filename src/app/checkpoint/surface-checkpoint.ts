import type { HookPayload } from "../../claude/hooks/hook-payload.ts";
import { sessionStartOf, sessionStartOutput } from "../../claude/hooks/session-start.ts";
import { isAttended, projectDirectoryIn } from "../../claude/environment.ts";
import { type Checkpoint, isWorthShowing } from "../../core/checkpoint/checkpoint.ts";
import { checkpointContext, otherProjectContext, surfacingLine } from "../../core/checkpoint/checkpoint-text.ts";
import { resolveLinks } from "../../io/files/read-file.ts";
import { loadCheckpoint, loadLatest } from "../../store/checkpoints/checkpoints.ts";
import { placesOfSession } from "./checkpoint-places.ts";
import type { Environment } from "../environment.ts";
import { logProblem } from "../program-log.ts";
import { loadSettings } from "../settings.ts";
import { findHolder } from "../session/find-holder.ts";
import { messageOf } from "../../core/message-of.ts";

/** What SessionStart prints for Claude; undefined when there is nothing to say. */
export function surfaceCheckpoint(environment: Environment, payload: HookPayload): string | undefined {
  const { sessionId, transcriptPath } = payload;
  const start = sessionStartOf(payload);
  const directory = projectDirectoryIn(environment.variables) ?? payload.cwd;
  if (directory === undefined) return undefined;
  const places = placesOfSession(environment, transcriptPath, directory);
  const here = loadOrLog(environment, () => loadCheckpoint(places));
  const now = environment.now();
  if (start === "compacted") {
    if (here?.sessionId !== sessionId || (here.goal ?? here.next) === null) return undefined;
    return sessionStartOutput({
      context: checkpointContext(here, { now, sessionId, why: "compacted" }),
    });
  }
  if (start === "resumed") return undefined;
  const { checkpointStaleDays, surfaceOtherProjects } = loadSettings(environment).settings;
  const worth = (checkpoint: Checkpoint | undefined): checkpoint is Checkpoint =>
    checkpoint !== undefined &&
    checkpoint.sessionId !== sessionId &&
    isWorthShowing(checkpoint, now, checkpointStaleDays) &&
    // After /clear, the same process that held the old session starts the new one.
    (start === "cleared" || !isAtWork(environment, checkpoint));
  const latest = worth(here) ? undefined : loadOrLog(environment, () => loadLatest(places.shared));
  const shown = worth(here) ? here : worth(latest) ? latest : undefined;
  if (!shown) return undefined;
  const isUserThere = isAttended(environment.variables);
  if (!isOfDirectory(shown, directory, shown === here)) {
    if (!isUserThere || surfaceOtherProjects === "off") return undefined;
    return sessionStartOutput({ line: surfacingLine(shown, true), context: otherProjectContext });
  }
  return sessionStartOutput({
    // Without a terminal, no user sees the question.
    line: isUserThere ? surfacingLine(shown, false) : undefined,
    context: checkpointContext(shown, { now, sessionId, why: "new-session" }),
  });
}

/**
 * Whether the content may reach the model. The recorded path decides, because Claude's name of a project is the same for `/a/b-c` and
 * `/a/b/c`. Claude may have saved the project's checkpoint in a subdirectory.
 */
function isOfDirectory({ where }: Checkpoint, directory: string, isOfProject: boolean): boolean {
  const [recorded, present] = [resolveLinks(where.directory), resolveLinks(directory)];
  return recorded === present || (isOfProject && recorded.startsWith(`${present}/`));
}

/** True when another claude, run, host or service works on this session, or waits to continue it: there is nothing to continue. */
const isAtWork = (environment: Environment, { sessionId }: Checkpoint): boolean =>
  sessionId !== null && findHolder(environment, sessionId, undefined) !== undefined;

/** An unreadable checkpoint must not fail the session; `doctor` reports it. */
function loadOrLog(environment: Environment, load: () => Checkpoint | undefined): Checkpoint | undefined {
  try {
    return load();
  } catch (error) {
    logProblem(environment, messageOf(error));
    return undefined;
  }
}

import { type LostWork, nothingLost } from "../../core/restart/lost-work.ts";
import { claudeEnvironment } from "../../claude/environment.ts";
import { hasFlag, splitArguments } from "../../claude/argv/flags.ts";
import { continueArguments, restartArguments, withPermissionMode } from "../../claude/argv/restart-arguments.ts";
import type { RestartMode } from "../../claude/permission-mode.ts";
import { contextMessage } from "../../core/restart/context-message.ts";
import type { ServiceRecord } from "../../core/service/service-record.ts";
import { decideStart, type ServiceStart } from "../../core/service/service-start.ts";
import { isExecutableFile } from "../../io/files/find-executable.ts";
import { managerVariables } from "../../io/process/notify-manager.ts";
import { claudeFile } from "../../store/cclaude/claude-versions.ts";
import { heldSession, type HostRecord } from "../../store/hosts/host-records.ts";
import type { Environment } from "../environment.ts";
import { findClaude } from "../find-claude.ts";
import { lostWork, toldVariables } from "../resume/lost-work.ts";
import { findRestartMode } from "../resume/restart-mode.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { argumentsWithHooks, type HookedArguments } from "../hook/inject-hooks.ts";
import { bestEffort } from "../best-effort.ts";
import { mayWaitInTerminal, withNativeRetry } from "../resume/native-retry.ts";
import { loadSettings } from "../settings.ts";
import { priorConversation } from "./prior-conversation.ts";
import type { Variables } from "../../core/variables.ts";

/** Everything needed to start claude. */
export interface PreparedStart {
  readonly decision: ServiceStart;
  /** Undefined: that of the service's flags. */
  readonly mode: RestartMode | undefined;
  readonly sessionId: string;
  /** The caller disposes it when claude has ended. */
  readonly hooked: HookedArguments;
  readonly command: readonly string[];
  readonly variables: Variables;
}

/** Finds and repairs the last conversation, and decides how claude starts. */
export async function prepareStart(
  environment: Environment,
  record: ServiceRecord,
  lastHost: HostRecord | undefined,
): Promise<PreparedStart> {
  const prior = await priorConversation(environment, record.workspace);
  const decision = decideStart(prior, record.freshAfterSeconds * 1_000);
  const claude = claudeOf(environment, record);
  // A new conversation gets its id here, so the watchdog and the host can find its transcript from the beginning.
  const sessionId = decision.kind === "plain" ? crypto.randomUUID() : decision.sessionId;
  const mode = decision.kind === "plain" ? undefined : modeOf(environment, record, sessionId, lastHost);
  const lost = decision.kind === "plain" ? nothingLost : lostWork(environment, sessionId);
  const words = argumentsFor(decision, sessionId, withPermissionMode(record.claudeArguments, mode?.mode), lost);
  const file = bestEffort(environment, () => claudeFile(claude), undefined);
  const { settings } = loadSettings(environment);
  const hooked = argumentsWithHooks(environment, file, splitArguments(words));
  return {
    decision,
    mode,
    sessionId,
    hooked,
    command: [claude, ...hooked.words],
    variables: withNativeRetry(
      environment,
      file,
      { ...variablesFor(environment), ...toldVariables(words, sessionId) },
      {
        nativeRetry: settings.nativeRetry,
        mayWait: mayWaitInTerminal(settings),
      },
    ),
  };
}

/** The whole conversation counts: the service cannot tell which of its prompts came from a user's own claude. */
function modeOf(
  environment: Environment,
  { claudeArguments }: ServiceRecord,
  id: string,
  lastHost: HostRecord | undefined,
): RestartMode | undefined {
  const reported = lastHost && heldSession(lastHost) === id ? lastHost.status?.reportedMode : undefined;
  return findRestartMode(claudeArguments, findTranscript(environment, id), 0, reported);
}

/** The claude found at install, unless it has moved since. */
function claudeOf({ variables }: Environment, { claude }: ServiceRecord): string {
  return claude !== null && isExecutableFile(claude) ? claude : findClaude(variables, process.execPath);
}

function argumentsFor(decision: ServiceStart, sessionId: string, given: readonly string[], lost: LostWork): string[] {
  if (decision.kind === "plain") return ["--session-id", sessionId, ...given];
  // In print mode claude needs a prompt.
  const needsPrompt = decision.tellToContinue || hasFlag(splitArguments(given), "print");
  const prompt = needsPrompt ? contextMessage("service", undefined, undefined, lost) : undefined;
  return decision.how === "--continue"
    ? continueArguments(given, prompt)
    : restartArguments(given, { id: sessionId, prompt });
}

const removedVariables = new Set([...managerVariables, "BUN_OPTIONS", "BUN_BE_BUN"]);

function variablesFor({ variables }: Environment): Variables {
  const entries = Object.entries(claudeEnvironment(variables)).filter(([name]) => !removedVariables.has(name));
  return Object.fromEntries(entries);
}

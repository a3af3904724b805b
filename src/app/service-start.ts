import { claudeEnvironment } from "../claude/environment.ts";
import { hasFlag, splitArguments } from "../claude/flags.ts";
import { continueArguments, restartArguments } from "../claude/restart-arguments.ts";
import { contextMessage } from "../core/context-message.ts";
import type { ServiceRecord } from "../core/service-record.ts";
import { decideStart, type ServiceStart } from "../core/service-start.ts";
import { isExecutableFile } from "../io/find-executable.ts";
import { managerVariables } from "../io/notify-manager.ts";
import { claudeFile } from "../store/claude-versions.ts";
import type { Environment } from "./environment.ts";
import { findClaude } from "./find-claude.ts";
import { argumentsWithHooks } from "./inject-hooks.ts";
import { orElse } from "./or-else.ts";
import { priorConversation } from "./prior-conversation.ts";

/** Everything that a start of claude needs. */
export interface PreparedStart {
  readonly decision: ServiceStart;
  readonly sessionId: string;
  readonly command: readonly string[];
  readonly variables: Record<string, string | undefined>;
}

/** Looks at what is there, brings it in order, and decides how claude is started this time. */
export async function prepareStart(environment: Environment, record: ServiceRecord): Promise<PreparedStart> {
  const prior = await priorConversation(environment, record.workspace);
  const decision = decideStart(prior, record.freshAfterSeconds * 1_000);
  const claude = claudeOf(environment, record);
  // Of a new conversation too, the id is known from the beginning: what is wrong with it must be found whatever happens.
  const sessionId = decision.kind === "plain" ? crypto.randomUUID() : decision.sessionId;
  const words = argumentsFor(decision, sessionId, record.claudeArguments);
  const file = orElse(environment, () => claudeFile(claude), undefined);
  const command = [claude, ...argumentsWithHooks(environment, file, splitArguments(words))];
  return { decision, sessionId, command, variables: variablesFor(environment) };
}

/** Where it was at the install, unless it has moved since. */
function claudeOf({ variables }: Environment, { claude }: ServiceRecord): string {
  return claude !== null && isExecutableFile(claude) ? claude : findClaude(variables, process.execPath);
}

function argumentsFor(decision: ServiceStart, sessionId: string, given: readonly string[]): string[] {
  if (decision.kind === "plain") return ["--session-id", sessionId, ...given];
  // In print mode claude has nothing to do without a prompt.
  const speaks = decision.tellToGoOn || hasFlag(splitArguments(given), "print");
  const prompt = speaks ? contextMessage("service", undefined) : undefined;
  return decision.how === "--continue"
    ? continueArguments(given, prompt)
    : restartArguments(given, { id: sessionId, prompt });
}

const notForClaude = new Set([...managerVariables, "BUN_OPTIONS", "BUN_BE_BUN"]);

function variablesFor({ variables }: Environment): Record<string, string | undefined> {
  const entries = Object.entries(claudeEnvironment(variables)).filter(([name]) => !notForClaude.has(name));
  return Object.fromEntries(entries);
}

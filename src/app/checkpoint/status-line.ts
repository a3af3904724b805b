import { parseStatusLine, type StatusLineInput } from "../../claude/screen/status-line.ts";
import type { FinalError } from "../../core/restart/final-error.ts";
import { isSessionId } from "../../core/session-id.ts";
import { quickFacts } from "../../io/files/quick-look.ts";
import { readStdin } from "../../io/terminal/read-stdin.ts";
import { runShell } from "../../io/process/run-shell.ts";
import { readTranscriptEnding } from "../session/transcript-end.ts";
import { placesOfSession } from "./checkpoint-places.ts";
import { currentEnvironment, type Environment } from "../environment.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Variables } from "../../core/variables.ts";

export interface StatusLine {
  /** Exact output of the user's own status line command; undefined when there is none or it failed. */
  chained: string | undefined;
  input: StatusLineInput | undefined;
  /** The API refused the last prompt as too long. Claude still reports the share of the last answer, however small. */
  isContextFull: boolean;
  /** The key before `r` that restores a full conversation in a host; undefined where no key does. */
  restorePrefix: string | undefined;
  /** When the usage limit resets at which the conversation ends, in milliseconds since 1970; null when unknown, undefined without one. */
  limitResetsAt: number | null | undefined;
  /** Age of this directory's checkpoint in milliseconds. */
  savedAgo: number | undefined;
  /** Stores the usage and the context window, and saves a checkpoint near the cap. Call it after printing. */
  record: () => Promise<void>;
}

/** Claude waits for the status line at every message. */
const chainTimeoutMs = 3_000;

export async function readStatusLine(variables: Variables, chain: string | undefined): Promise<StatusLine> {
  const environment = currentEnvironment(variables);
  const stdin = await readStdin({ bytes: 10_000_000, milliseconds: 2_000 });
  const text = stdin.kind === "text" ? stdin.text : "";
  const parsed = parseStatusLine(text);
  const input = parsed && isSessionId(parsed.sessionId) ? parsed : undefined;
  const [chained, savedAgo] = await Promise.all([
    // Started in the way Claude starts it: through a shell, with the same input.
    chain === undefined ? undefined : runShell(chain, { variables, milliseconds: chainTimeoutMs, stdin: text }),
    input && ageOfCheckpoint(environment, input),
  ]);
  const error = input?.transcriptPath === undefined ? undefined : finalErrorIn(environment, input.transcriptPath);
  const isContextFull = error?.kind === "too-long";
  const restorePrefix = isContextFull && input ? await restorePrefixOf(environment, input.sessionId) : undefined;
  const limitResetsAt = error?.kind === "limit" ? (error.resetsAt ?? null) : undefined;
  const record = (): Promise<void> => (input ? keep(environment, input) : Promise.resolve());
  return { chained, input, isContextFull, restorePrefix, limitResetsAt, savedAgo, record };
}

/** Loaded only for a full conversation: Claude waits for the status line at every message. */
async function restorePrefixOf(environment: Environment, sessionId: string): Promise<string | undefined> {
  try {
    return (await import("./hosted-here.ts")).restorePrefixOf(environment, sessionId);
  } catch {
    return undefined;
  }
}

async function ageOfCheckpoint(environment: Environment, input: StatusLineInput): Promise<number | undefined> {
  if (input.directory === undefined) return undefined;
  const { memory } = placesOfSession(environment, input.transcriptPath, input.directory);
  try {
    const facts = await quickFacts(`${memory}/checkpoint.json`);
    return facts && Math.max(0, environment.now() - facts.modified);
  } catch {
    return undefined;
  }
}

function finalErrorIn(environment: Environment, transcriptPath: string): FinalError | undefined {
  try {
    return readTranscriptEnding(environment, transcriptPath)?.finalError;
  } catch {
    return undefined;
  }
}

async function keep(environment: Environment, input: StatusLineInput): Promise<void> {
  try {
    await (await import("./near-cap.ts")).recordUsage(environment, input);
    const { sessionId, contextWindow } = input;
    if (contextWindow === undefined) return;
    const { recordWindow } = await import("../../store/session-notes/context-windows.ts");
    recordWindow(environment.paths, sessionId, contextWindow);
  } catch (error) {
    (await import("../program-log.ts")).logProblem(environment, messageOf(error));
  }
}

import { checkpointsDirectory, memoryDirectory, projectsDirectory } from "../../claude/paths.ts";
import { parseStatusLine, type StatusLineInput } from "../../claude/screen/status-line.ts";
import { findCrossings, isSameReport, type UsageReport } from "../../core/checkpoint/usage.ts";
import type { FinalError } from "../../core/restart/final-error.ts";
import { isSessionId } from "../../core/session-id.ts";
import { readSettings, type Settings } from "../../core/settings.ts";
import { quickLook, quickTail } from "../../io/files/quick-look.ts";
import { readStdin } from "../../io/terminal/read-stdin.ts";
import { runRoot } from "../../store/runs/run-paths.ts";
import { currentEnvironment, type Environment } from "../environment.ts";
import { type ClockTime, LocalClock } from "./local-clock.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Variables } from "../../core/variables.ts";

export { fitSegments } from "../../core/checkpoint/status-segments.ts";

// Claude waits for the status line at every message, so everything that a line rarely needs is loaded only then.

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
  /** Other sessions that wait for the user. */
  needsYou: number;
  /** The user's choice of segments. */
  segments: readonly string[];
  /** Columns of the terminal, as the client says since 2.1.326; Infinity when it does not. */
  width: number;
  /** The local time of a moment, in milliseconds since 1970. */
  clock: (time: number) => ClockTime;
  /** Stores the usage and the context window, and saves a checkpoint near the cap. Call it after printing. */
  record: () => Promise<void>;
}

const chainTimeoutMs = 3_000;

export async function readStatusLine(variables: Variables, chain: string | undefined): Promise<StatusLine> {
  const environment = currentEnvironment(variables);
  const [stdin, config, clock] = await Promise.all([
    readStdin({ bytes: 10_000_000, milliseconds: 2_000 }),
    quickTail(environment.paths.config).catch(() => undefined),
    LocalClock.open(environment),
  ]);
  const { settings } = readSettings(config, variables);
  const text = stdin.kind === "text" ? stdin.text : "";
  const parsed = parseStatusLine(text);
  const input = parsed && isSessionId(parsed.sessionId) ? parsed : undefined;
  const [chained, savedAgo, error, needsYou] = await Promise.all([
    chain === undefined ? undefined : runChained(chain, variables, text),
    input && orUndefined(ageOfCheckpoint(environment, input)),
    input && orUndefined(findFinalError(environment, input)),
    orUndefined(countOthers(environment, input?.sessionId ?? "")),
  ]);
  const isContextFull = error?.kind === "too-long";
  const restorePrefix = isContextFull && input ? await restorePrefixOf(environment, input.sessionId) : undefined;
  const limitResetsAt = error?.kind === "limit" ? (error.resetsAt ?? null) : undefined;
  const record = async (): Promise<void> => {
    if (!input) return;
    await keep(environment, settings, input);
    if (clock.toKeep !== undefined) await keepClock(environment, clock.toKeep);
  };
  const columns = Number(variables["COLUMNS"] ?? "");
  const width = Number.isSafeInteger(columns) && columns > 0 ? columns : Infinity;
  const shown = { segments: settings["statusLine.segments"], width, needsYou: needsYou ?? 0 };
  return {
    chained,
    input,
    isContextFull,
    restorePrefix,
    limitResetsAt,
    savedAgo,
    ...shown,
    clock: (time) => clock.show(time),
    record,
  };
}

async function orUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch {
    return undefined;
  }
}

/** Started in the way Claude starts it: through a shell, with the same input. */
async function runChained(chain: string, variables: Variables, stdin: string): Promise<string | undefined> {
  const { runShell } = await import("../../io/process/run-shell.ts");
  return runShell(chain, { variables, milliseconds: chainTimeoutMs, stdin });
}

async function restorePrefixOf(environment: Environment, sessionId: string): Promise<string | undefined> {
  return orUndefined(import("./hosted-here.ts").then(({ restorePrefixOf: find }) => find(environment, sessionId)));
}

async function ageOfCheckpoint(environment: Environment, input: StatusLineInput): Promise<number | undefined> {
  const facts = quickLook(`${await memoryOf(environment, input)}/checkpoint.json`);
  return facts && Math.max(0, environment.now() - facts.modified);
}

/** Beside the transcript, where Claude reports one in its usual place. */
async function memoryOf(environment: Environment, { transcriptPath, directory }: StatusLineInput): Promise<string> {
  const projects = `${projectsDirectory(environment.claudeConfig)}/`;
  const [project = "", file, ...deeper] = (transcriptPath ?? "").startsWith(projects)
    ? (transcriptPath ?? "").slice(projects.length).split("/")
    : [];
  const isUsual = file !== undefined && deeper.length === 0 && !/^\.{0,2}$/.test(project);
  if (isUsual) return memoryDirectory(`${projects}${project}`);
  const { placesOfSession } = await import("./checkpoint-places.ts");
  return placesOfSession(environment, transcriptPath, directory ?? environment.cwd).memory;
}

/** The end of a conversation that may end with an error or a wrap-up; most do not, and need no more than a look. */
const tailBytes = 256 * 1024;
const signs = ['"isApiErrorMessage":true', '"usageLimitNote"'];

async function findFinalError(
  environment: Environment,
  { transcriptPath }: StatusLineInput,
): Promise<FinalError | undefined> {
  const tail = transcriptPath === undefined ? undefined : await quickTail(transcriptPath, tailBytes);
  if (transcriptPath === undefined || !signs.some((sign) => tail?.includes(sign))) return undefined;
  const { readTranscriptEnding } = await import("../session/transcript-end.ts");
  return readTranscriptEnding(environment, transcriptPath)?.finalError;
}

async function countOthers({ variables, home, now }: Environment, sessionId: string): Promise<number> {
  const root = runRoot(variables, home);
  // The hosts leave this hint; see store/hosts/host-records.ts.
  if (!quickLook(`${root}/hosts/needs-you`)) return 0;
  return (await import("./need-user.ts")).countNeedingUser(root, sessionId, now());
}

async function keep(environment: Environment, settings: Settings, input: StatusLineInput): Promise<void> {
  try {
    // Both are recorded together, and a new window changes the share.
    if (await knowsUsage(environment, settings, input)) return;
    await (await import("./near-cap.ts")).recordUsage(environment, input);
    if (input.contextWindow === undefined) return;
    const { recordWindow } = await import("../../store/session-notes/context-windows.ts");
    recordWindow(environment.paths, input.sessionId, input.contextWindow);
  } catch (error) {
    (await import("../program-log.ts")).logProblem(environment, messageOf(error));
  }
}

async function keepClock({ paths }: Environment, text: string): Promise<void> {
  const { makeDirectory, replaceFile } = await import("../../io/durable/durable.ts");
  await orUndefined(
    Promise.resolve().then(() => {
      makeDirectory(paths.root);
      replaceFile(paths.clockCache, text);
    }),
  );
}

/** Whether `usage.json` says the same already, and no checkpoint is due. */
async function knowsUsage(
  { claudeConfig }: Environment,
  { checkpointAtPercent }: Settings,
  input: StatusLineInput,
): Promise<boolean> {
  const known = await quickRecord(`${checkpointsDirectory(claudeConfig)}/usage.json`);
  if (known?.["version"] !== 1 || !Array.isArray(known["saved"])) return false;
  const saved = known["saved"] as Parameters<typeof findCrossings>[3];
  const isSame = isSameReport(known as unknown as UsageReport, input);
  return isSame && findCrossings(input.usage, checkpointAtPercent, input.sessionId, saved).length === 0;
}

/** Undefined when it is missing or unreadable: the slow way then decides. */
async function quickRecord(path: string): Promise<Record<string, unknown> | undefined> {
  return orUndefined(
    quickTail(path).then((text) => {
      const value: unknown = JSON.parse(text ?? "null");
      return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
    }),
  );
}

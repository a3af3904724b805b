import { type HookPayload, parseHookPayload } from "../claude/hook-payload.ts";
import { readMilestone } from "../claude/milestone.ts";
import { sideDirectory } from "../claude/paths.ts";
import { isSnapshotDue, keepsEverything } from "../core/snapshot-due.ts";
import { absolutePath } from "../core/absolute-path.ts";
import { isSessionId } from "../core/session-id.ts";
import { readSettings } from "../core/snapshot-settings.ts";
import { isQuickDirectory, quickFacts, quickText } from "../io/quick-look.ts";
import { readStdin } from "../io/read-stdin.ts";
import { lookAtMirror } from "../store/mirrored-size.ts";
import { currentEnvironment, type Environment, runVariable } from "./environment.ts";

// It runs after every tool call, and nearly always there is nothing to do: so all that is only needed to do
// something is loaded only then.

const stdinLimit = { bytes: 64_000_000, milliseconds: 2_000 };

/** What a hook is to do: `session-snapshot hook` takes snapshots, `ai-runtime hook` does everything in one process. */
export interface HookJobs {
  snapshots: boolean;
  checkpoints: boolean;
  /** Called by the Claude Code plugin: what the user's settings have done already is left out. */
  fromPlugin?: boolean;
}

/** One hook call, from stdin to disk. Never throws: what goes wrong is a line in the log. Returns what Claude should read. */
export async function handleHook(
  variables: Record<string, string | undefined>,
  jobs: HookJobs = { snapshots: true, checkpoints: false },
): Promise<string | undefined> {
  const environment = currentEnvironment(variables);
  let answer: string | undefined;
  await logged(environment, async () => {
    const input = await readStdin(stdinLimit);
    const payload = input.kind === "text" ? parseHookPayload(input.text) : undefined;
    if (!payload) throw new Error(`no hook payload on stdin (${input.kind})`);
    if (!isSessionId(payload.sessionId)) throw new Error("refused a session id that is none");
    // Only for a cclaude that waits for this claude's end.
    const run = variables[runVariable];
    if (run) (await import("./record-run-event.ts")).recordRunEvent(environment, run, payload);
    const { snapshots, checkpoints } = jobs.fromPlugin
      ? (await import("./hook-jobs.ts")).jobsLeft(environment, payload.event)
      : jobs;
    // Each on its own: what goes wrong with the one must not cost the other.
    if (checkpoints) await logged(environment, async () => void (answer = await keepCheckpoint(environment, payload)));
    if (!snapshots) return;
    const outcome = await snapshotWhenDue(environment, payload);
    if (variables["SESSION_SNAPSHOT_DEBUG"] === "1") {
      const { logDebug } = await import("./hook-log.ts");
      logDebug(environment, `${payload.event} ${payload.sessionId}: ${outcome}`);
    }
    if (payload.event === "SessionEnd") {
      (await import("./start-maintenance.ts")).startMaintenanceWhenDue(environment);
    }
  });
  return answer;
}

async function logged(environment: Environment, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { logProblem } = await import("./hook-log.ts");
    logProblem(environment, error instanceof Error ? error.message : String(error));
  }
}

async function keepCheckpoint(environment: Environment, payload: HookPayload): Promise<string | undefined> {
  if (payload.event === "SessionStart") {
    return (await import("./surface-checkpoint.ts")).surfaceCheckpoint(environment, payload);
  }
  const milestone = readMilestone(payload);
  if (milestone) await (await import("./hook-checkpoint.ts")).recordMilestone(environment, payload, milestone);
  return undefined;
}

/** Says what came of it, for the log of who wants to know. */
async function snapshotWhenDue(environment: Environment, payload: HookPayload): Promise<string> {
  // Compaction and subagents end with events of their own: theirs is not the session's end.
  if (payload.agentId !== undefined && payload.event !== "PostToolUse") return "of a side agent";
  const { paths, variables } = environment;
  const { sessionId } = payload;
  const transcriptPath = await findPlace(environment, payload);
  const [config, facts, mirror, waiter] = await Promise.all([
    quickText(paths.config).catch(() => undefined),
    transcriptPath === undefined ? undefined : quickFacts(transcriptPath),
    lookAtMirror(paths, sessionId),
    payload.event === "Stop" ? quickFacts(paths.waiterLock(sessionId)) : undefined,
  ]);
  if (payload.event === "PostToolUse") await noticeStandstill(environment, payload, facts);
  if (waiter) await (await import("./hook-snapshot.ts")).letWaiterFinish(environment, sessionId);
  if (transcriptPath === undefined || facts === undefined) return "no transcript";
  const { settings } = readSettings(config, variables);
  const sizes = { transcript: facts.size, mirrored: mirror.size };
  const hasShrunk = facts.size < mirror.size;
  const isDue = hasShrunk || mirror.doubtful || isSnapshotDue(payload, sizes, settings);
  if (!isDue && !(await hasMoreToKeep(payload, transcriptPath))) {
    return `not due, ${sizes.transcript} bytes with ${sizes.mirrored} kept`;
  }
  return (await import("./hook-snapshot.ts")).snapshotUnderLock(environment, payload, transcriptPath);
}

/** At the moments that may be the last: what lies beside the transcript, and words that are not yet in it. */
async function hasMoreToKeep(payload: HookPayload, transcriptPath: string): Promise<boolean> {
  if (!keepsEverything(payload)) return false;
  return payload.lastAssistantMessage !== undefined || (await isQuickDirectory(sideDirectory(transcriptPath)));
}

async function findPlace(environment: Environment, payload: HookPayload): Promise<string | undefined> {
  const given = payload.transcriptPath;
  if (given === undefined) return (await import("./find-transcript.ts")).findTranscript(environment, payload.sessionId);
  // A relative CLAUDE_CONFIG_DIR makes it relative to the directory that Claude works in.
  return absolutePath(given, payload.cwd ?? environment.cwd);
}

/** Tools fire, but the transcript does not grow: looked at closely only when it has been still for a while. */
async function noticeStandstill(
  environment: Environment,
  payload: HookPayload,
  facts: { size: number; modified: number } | undefined,
): Promise<void> {
  const quiet = environment.now() - (facts?.modified ?? 0) - (payload.durationMs ?? 0);
  if (quiet < 60_000) return;
  (await import("./canary.ts")).recordStandstill(environment, payload.sessionId, facts?.size ?? 0);
}

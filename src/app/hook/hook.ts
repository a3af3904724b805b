import { type HookPayload, parseHookPayload } from "../../claude/hooks/hook-payload.ts";
import { readFinishedCall } from "../../claude/hooks/finished-call.ts";
import { readBashCommand, readMilestone } from "../../claude/hooks/milestone.ts";
import { sessionStartOf } from "../../claude/hooks/session-start.ts";
import { sideDirectory, subagentsDirectory } from "../../claude/paths.ts";
import { isCopyDue } from "../../core/snapshot/snapshot-due.ts";
import { isPlainlyHarmless } from "../../core/files/plainly-harmless.ts";
import { absolutePath } from "../../core/absolute-path.ts";
import { isSessionId } from "../../core/session-id.ts";
import { readSettings, settingsTable } from "../../core/settings.ts";
import { isQuickDirectory, quickFacts, quickText } from "../../io/files/quick-look.ts";
import { readStdin } from "../../io/terminal/read-stdin.ts";
import { hasOpenMark, lookAtMirror } from "../../store/snapshots/mirrored-size.ts";
import { currentEnvironment, type Environment, runVariable, toldVariable } from "../environment.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Variables } from "../../core/variables.ts";

// The hook runs after every tool call and rarely has work to do, so it loads modules only when it needs them.

const stdinLimit = { bytes: 64_000_000, milliseconds: 2_000 };

/** `session-snapshot hook` takes snapshots only; `ai-runtime hook` does everything in one process. */
export interface HookJobs {
  snapshots: boolean;
  checkpoints: boolean;
  /** Called by the Claude Code plugin: skips the jobs that the user's settings already run. */
  fromPlugin?: boolean;
}

/** Handles one hook call. Never throws: errors go to the log. Returns the text that Claude reads. */
export async function handleHook(
  variables: Variables,
  jobs: HookJobs = { snapshots: true, checkpoints: false },
): Promise<string | undefined> {
  const environment = currentEnvironment(variables);
  let answer: string | undefined;
  await logged(environment, async () => {
    const input = await readStdin(stdinLimit);
    const payload = input.kind === "text" ? parseHookPayload(input.text) : undefined;
    if (!payload) throw new Error(`no hook payload on stdin (${input.kind})`);
    if (!isSessionId(payload.sessionId)) throw new Error("invalid session id in the hook payload");
    // Each step is logged separately, so that a failed report or checkpoint does not prevent the snapshot. The variable is set
    // only when a cclaude or a host supervises this claude.
    const run = variables[runVariable];
    if (run) await logged(environment, () => report(environment, run, payload));
    const { snapshots, checkpoints } = jobs.fromPlugin
      ? (await import("./hook-jobs.ts")).jobsLeft(environment, payload.event)
      : jobs;
    if (payload.handling.files === "before-command") {
      if (snapshots) await markBeforeCommand(environment, payload);
      return;
    }
    // Before anything that waits: claude may be killed right after the tool call.
    if (snapshots) await logged(environment, () => keepFinishedCall(environment, payload));
    if (checkpoints) await logged(environment, async () => void (answer = await keepCheckpoint(environment, payload)));
    if (!snapshots) return;
    await logged(environment, async () => void (answer ??= await tellWhatIsLost(environment, payload)));
    if (payload.handling.checkpoint === "show" && sessionStartOf(payload) === "resumed") {
      const { tellAboutFiles } = await import("./hook-files.ts");
      await logged(environment, async () => void (answer = await tellAboutFiles(environment, payload, answer)));
    }
    const outcome = await snapshotWhenDue(environment, payload);
    if (payload.handling.files === "always" && payload.agentId === undefined) {
      const { markFilesOnce } = await import("./hook-files.ts");
      await logged(environment, () => markFilesOnce(environment, payload, { mark: null, before: null }));
    }
    // The variable is rarely set: without it the hook does not read the settings again.
    if (variables[settingsTable.debug.variable] && readSettings(undefined, variables).settings.debug) {
      const { logDebug } = await import("../program-log.ts");
      logDebug(environment, `${payload.event} ${payload.sessionId}: ${outcome}`);
    }
    // At the edges of a session or turn, never after a tool call; without a hub one look at a missing file.
    const isEdge = payload.handling.isLast || ["show", "answer"].includes(payload.handling.checkpoint);
    if (isEdge && (await quickFacts(environment.paths.hubConfig))) {
      await logged(environment, async () =>
        (await import("../hub/replicate/start-replicator.ts")).startReplicator(environment),
      );
    }
    if (payload.handling.isLast) {
      (await import("../maintenance/start-maintenance.ts")).startMaintenanceWhenDue(environment);
    }
  });
  return answer;
}

async function logged(environment: Environment, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { logProblem } = await import("../program-log.ts");
    logProblem(environment, messageOf(error));
  }
}

async function report(environment: Environment, directory: string, payload: HookPayload): Promise<void> {
  (await import("./report-to-supervisor.ts")).reportSessionEvent(environment, directory, payload);
}

/** Most commands only look; for those the hook loads nothing more. */
async function markBeforeCommand(environment: Environment, payload: HookPayload): Promise<void> {
  const command = readBashCommand(payload);
  if (command === undefined || isPlainlyHarmless(command)) return;
  const before = (await import("../../core/files/can-destroy.ts")).findDestroyer(command);
  if (before === undefined) return;
  await (await import("./hook-files.ts")).markFilesOnce(environment, payload, { mark: null, before, command });
}

async function keepCheckpoint(environment: Environment, payload: HookPayload): Promise<string | undefined> {
  if (payload.handling.checkpoint === "show") {
    return (await import("../checkpoint/surface-checkpoint.ts")).surfaceCheckpoint(environment, payload);
  }
  const milestone = readMilestone(payload);
  if (milestone)
    await (await import("../checkpoint/record-milestones.ts")).recordMilestone(environment, payload, milestone);
  return undefined;
}

async function keepFinishedCall(environment: Environment, payload: HookPayload): Promise<void> {
  const call = readFinishedCall(payload);
  if (call) await (await import("./record-step.ts")).recordStep(environment, payload.sessionId, call);
}

/**
 * When a session is resumed by hand, Claude learns what a restore cut off, which results its conversation lacks,
 * which of its subagents died, that its project moved, and that it comes from another machine.
 */
async function tellWhatIsLost(environment: Environment, payload: HookPayload): Promise<string | undefined> {
  const { sessionId } = payload;
  const { paths, variables } = environment;
  if (payload.handling.checkpoint !== "show" || sessionStartOf(payload) !== "resumed") return undefined;
  const transcriptPath = await findPlace(environment, payload);
  if (transcriptPath === undefined) return undefined;
  const isUntold =
    variables[toldVariable] !== sessionId &&
    ((await quickFacts(paths.steps(sessionId))) !== undefined ||
      (await quickFacts(paths.arrivalNote(sessionId))) !== undefined ||
      (await isQuickDirectory(subagentsDirectory(transcriptPath))));
  const mayHaveMoved = await isQuickDirectory(paths.rehomed);
  if (!isUntold && !mayHaveMoved && !(await quickFacts(paths.restoreNotes(sessionId)))) return undefined;
  const { tellResumed } = await import("./tell-resumed.ts");
  return tellResumed(environment, { sessionId, transcriptPath, isUntold });
}

/** Returns the outcome for the debug log. */
async function snapshotWhenDue(environment: Environment, payload: HookPayload): Promise<string> {
  // Compaction and subagents send their own end events, which do not end the session.
  if (payload.agentId !== undefined && payload.snapshot !== "interval") return "event of a subagent";
  const { paths, variables } = environment;
  const { sessionId } = payload;
  const transcriptPath = await findPlace(environment, payload);
  const [config, facts, mirror, waiter] = await Promise.all([
    quickText(paths.config).catch(() => undefined),
    transcriptPath === undefined ? undefined : quickFacts(transcriptPath),
    lookAtMirror(paths, sessionId),
    payload.handling.awaitsAsyncHook ? quickFacts(paths.waiterLock(sessionId)) : undefined,
  ]);
  if (payload.snapshot === "interval") await noticeStandstill(environment, payload, facts);
  if (waiter) await (await import("./hook-snapshot.ts")).letWaiterFinish(environment, sessionId);
  if (transcriptPath === undefined || facts === undefined) return "no transcript";
  const sizes = { transcript: facts.size, copied: mirror.size };
  const hasShrunk = facts.size < mirror.size;
  const times = { now: environment.now(), copiedAt: mirror.time };
  const isDue = hasShrunk || mirror.doubtful || isCopyDue(payload.snapshot, sizes, times);
  if (!isDue && !(await hasMoreToKeep(environment, payload, transcriptPath))) {
    return `not due, ${sizes.transcript} bytes with ${sizes.copied} kept`;
  }
  const { settings } = readSettings(config, variables);
  const { snapshotUnderLock } = await import("./hook-snapshot.ts");
  return snapshotUnderLock(environment, payload, transcriptPath, settings);
}

/**
 * An event that may be the last also saves side files, and a last message that is not yet in the transcript, and marks bytes that
 * have no mark.
 */
async function hasMoreToKeep({ paths }: Environment, payload: HookPayload, transcriptPath: string): Promise<boolean> {
  if (payload.snapshot !== "any-growth") return false;
  if (payload.lastAssistantMessage !== undefined || (await isQuickDirectory(sideDirectory(transcriptPath))))
    return true;
  return hasOpenMark(paths, payload.sessionId);
}

async function findPlace(environment: Environment, payload: HookPayload): Promise<string | undefined> {
  const given = payload.transcriptPath;
  if (given === undefined)
    return (await import("../session/find-transcript.ts")).findTranscript(environment, payload.sessionId);
  // With a relative CLAUDE_CONFIG_DIR the path is relative to Claude's working directory.
  return absolutePath(given, payload.cwd ?? environment.cwd);
}

/** Records tool calls during which the transcript did not grow for a minute. */
async function noticeStandstill(
  environment: Environment,
  payload: HookPayload,
  facts: { size: number; modified: number } | undefined,
): Promise<void> {
  const quietMs = environment.now() - (facts?.modified ?? 0) - (payload.durationMs ?? 0);
  if (quietMs < 60_000) return;
  (await import("../snapshot/standstill.ts")).recordStandstill(environment, payload.sessionId, facts?.size ?? 0);
}

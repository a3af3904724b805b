import { type HookPayload, parseHookPayload } from "../claude/hook-payload.ts";
import { isSnapshotDue, keepsEverything } from "../core/snapshot-due.ts";
import { isSessionId } from "../core/session-id.ts";
import { readSettings } from "../core/snapshot-settings.ts";
import { makeDirectory } from "../io/durable.ts";
import { fileFacts, fileSize, readText } from "../io/read-file.ts";
import { readStdin } from "../io/read-stdin.ts";
import { lockWithin, tryLock } from "../store/lock.ts";
import { mirroredSize } from "../store/mirrored-size.ts";
import { currentEnvironment, type Environment, runVariable } from "./environment.ts";
import { logProblem } from "./hook-log.ts";
import { takeSnapshot } from "./snapshot.ts";

const stdinLimit = { bytes: 64_000_000, milliseconds: 2_000 };
/** The transcript is written in batches about 100 ms apart, and the line that the hook is about comes last. */
const batchMilliseconds = 250;
/** SessionEnd has about 1.5 s in all. */
const lockMilliseconds = 800;

/** One hook call, from stdin to disk. Never throws: what goes wrong is a line in the log. */
export async function handleHook(variables: Record<string, string | undefined>): Promise<void> {
  const environment = currentEnvironment(variables);
  try {
    const input = await readStdin(stdinLimit);
    const payload = input.kind === "text" ? parseHookPayload(input.text) : undefined;
    if (!payload) return logProblem(environment, `no hook payload on stdin (${input.kind})`);
    if (!isSessionId(payload.sessionId)) return logProblem(environment, "refused a session id that is none");
    // Only for a cclaude that waits for this claude's end.
    const run = variables[runVariable];
    if (run) (await import("./record-run-event.ts")).recordRunEvent(environment, run, payload);
    await snapshotWhenDue(environment, payload);
    if (payload.event === "SessionEnd") {
      (await import("./start-maintenance.ts")).startMaintenanceWhenDue(environment);
    }
  } catch (error) {
    logProblem(environment, error instanceof Error ? error.message : String(error));
  }
}

async function snapshotWhenDue(environment: Environment, payload: HookPayload): Promise<void> {
  // Compaction and subagents end with events of their own: theirs is not the session's end.
  if (payload.agentId !== undefined && payload.event !== "PostToolUse") return;
  const { paths, variables } = environment;
  const { sessionId } = payload;
  const { settings } = readSettings(readText(paths.config), variables);
  const transcriptPath =
    payload.transcriptPath ?? (await import("./find-transcript.ts")).findTranscript(environment, sessionId);
  const facts = transcriptPath === undefined ? undefined : fileFacts(transcriptPath);
  if (payload.event === "PostToolUse") await noticeStandstill(environment, payload, facts);
  if (payload.event === "Stop") await letWaiterFinish(paths.waiterLock(sessionId));
  if (transcriptPath === undefined || facts === undefined) return;
  const mirrored = mirroredSize(paths, sessionId);
  const shrunk = facts.size < mirrored;
  if (!shrunk && !isSnapshotDue(payload, { transcript: facts.size, mirrored }, settings)) return;

  makeDirectory(paths.locks);
  if (payload.event === "PostToolUse") {
    // Held until this process ends, so that Stop can tell. Who finds it taken leaves: somebody waits for this batch already.
    if (tryLock(paths.waiterLock(sessionId)) === "busy") return;
    await waitForBatch();
  }
  const patience = keepsEverything(payload) ? lockMilliseconds : 0;
  const lock = await lockWithin(paths.lock(sessionId), patience);
  if (lock === "busy") return;
  try {
    takeSnapshot(environment, {
      sessionId,
      transcriptPath,
      cwd: payload.cwd,
      reason: payload.event,
      lastMessage: payload.lastAssistantMessage,
    });
  } finally {
    lock.release();
  }
}

/** Claude goes on while this one waits for the transcript; when Claude ends, it is told by SIGTERM not to wait longer. */
async function waitForBatch(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once("SIGTERM", resolve);
  await Promise.race([promise, Bun.sleep(batchMilliseconds)]);
}

/**
 * Right after Stop a `claude -p` exits. A background hook that is then alive is killed, and 2.1.197 forgets its SessionEnd
 * hooks as well: so Stop, for which Claude waits, waits for it.
 */
async function letWaiterFinish(waiterLock: string): Promise<void> {
  if (fileSize(waiterLock) === undefined) return;
  const lock = await lockWithin(waiterLock, 2 * batchMilliseconds);
  if (lock !== "busy") lock.release();
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

import { type HookPayload, parseHookPayload } from "../claude/hook-payload.ts";
import { isSnapshotDue } from "../core/snapshot-due.ts";
import { isSessionId } from "../core/session-id.ts";
import { readSettings } from "../core/snapshot-settings.ts";
import { quickFacts, quickText } from "../io/quick-look.ts";
import { readStdin } from "../io/read-stdin.ts";
import { mirroredSize } from "../store/mirrored-size.ts";
import { currentEnvironment, type Environment } from "./environment.ts";

// It runs after every tool call, and nearly always there is nothing to do: so all that is only needed to do
// something is loaded only then.

const stdinLimit = { bytes: 64_000_000, milliseconds: 2_000 };

/** One hook call, from stdin to disk. Never throws: what goes wrong is a line in the log. */
export async function handleHook(variables: Record<string, string | undefined>): Promise<void> {
  const environment = currentEnvironment(variables);
  try {
    const input = await readStdin(stdinLimit);
    const payload = input.kind === "text" ? parseHookPayload(input.text) : undefined;
    if (!payload) throw new Error(`no hook payload on stdin (${input.kind})`);
    if (!isSessionId(payload.sessionId)) throw new Error("refused a session id that is none");
    const outcome = await snapshotWhenDue(environment, payload);
    if (variables["SESSION_SNAPSHOT_DEBUG"] === "1") {
      const { logDebug } = await import("./hook-log.ts");
      logDebug(environment, `${payload.event} ${payload.sessionId}: ${outcome}`);
    }
    if (payload.event === "SessionEnd") {
      (await import("./start-maintenance.ts")).startMaintenanceWhenDue(environment);
    }
  } catch (error) {
    const { logProblem } = await import("./hook-log.ts");
    logProblem(environment, error instanceof Error ? error.message : String(error));
  }
}

/** Says what came of it, for the log of who wants to know. */
async function snapshotWhenDue(environment: Environment, payload: HookPayload): Promise<string> {
  // Compaction and subagents end with events of their own: theirs is not the session's end.
  if (payload.agentId !== undefined && payload.event !== "PostToolUse") return "of a side agent";
  const { paths, variables } = environment;
  const { sessionId } = payload;
  const transcriptPath =
    payload.transcriptPath ?? (await import("./find-transcript.ts")).findTranscript(environment, sessionId);
  const [config, facts, mirrored, waiter] = await Promise.all([
    quickText(paths.config),
    transcriptPath === undefined ? undefined : quickFacts(transcriptPath),
    mirroredSize(paths, sessionId),
    payload.event === "Stop" ? quickFacts(paths.waiterLock(sessionId)) : undefined,
  ]);
  if (payload.event === "PostToolUse") await noticeStandstill(environment, payload, facts);
  if (waiter) await (await import("./hook-snapshot.ts")).letWaiterFinish(environment, sessionId);
  if (transcriptPath === undefined || facts === undefined) return "no transcript";
  const { settings } = readSettings(config, variables);
  const shrunk = facts.size < mirrored;
  if (!shrunk && !isSnapshotDue(payload, { transcript: facts.size, mirrored }, settings)) {
    return `not due, ${facts.size} bytes with ${mirrored} kept`;
  }
  return (await import("./hook-snapshot.ts")).snapshotUnderLock(environment, payload, transcriptPath);
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

import type { HookPayload } from "../../claude/hooks/hook-payload.ts";
import type { Settings } from "../../core/settings.ts";
import { isMarkDue } from "../../core/snapshot/snapshot-due.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { type Lock, lockWithin, tryLock } from "../../store/lock.ts";
import type { Appended } from "../../store/snapshots/snapshots.ts";
import type { Environment } from "../environment.ts";
import { takeSnapshot } from "../snapshot/take-snapshot.ts";
import { markFilesOnce } from "./hook-files.ts";
import { startMaintenanceWhenDue } from "../maintenance/start-maintenance.ts";

/** Claude writes the transcript in batches about 100 ms apart, and the line that triggered the hook comes last. */
const batchDelayMs = 250;
/** Claude waits for these hooks, so they wait only briefly for the lock. */
const lockTimeoutMs = 800;
/** SessionEnd is the last event, so a longer wait is worth it; being killed during the wait loses nothing. */
const lastLockTimeoutMs = 5_000;

/** Takes the snapshot that a hook found to be due. Returns the outcome for the debug log. */
export async function snapshotUnderLock(
  environment: Environment,
  payload: HookPayload,
  transcriptPath: string,
  rules: Pick<Settings, "minSize" | "interval">,
): Promise<string> {
  const { paths } = environment;
  const { sessionId } = payload;
  makeDirectory(paths.locks);
  if (payload.handling.isAsync) {
    // Held until this process exits, so that Stop can wait for it. When it is busy, another hook already waits for this batch.
    if (!tryLock(paths.waiterLock(sessionId))) return "another hook already waits for this batch";
    await waitForBatch();
  }
  const lock = await lockWithin(paths.lock(sessionId), lockTimeoutFor(payload));
  if (!lock) return "another process holds the lock";
  const { mark, ended } = takeAndRelease(environment, { payload, transcriptPath, rules }, lock);
  const isMarked = mark !== undefined && !mark.open;
  // SessionEnd always starts maintenance, but not every kind of session sends SessionEnd.
  if (isMarked && !payload.handling.isLast) startMaintenanceWhenDue(environment);
  if (isMarked) await markFilesOnce(environment, payload, { mark: mark.n, before: null });
  const taken = mark ? `${mark.open ? "no mark" : `mark ${mark.n}`} at ${mark.size} bytes` : "no new complete line";
  return ended ? `the transcript was ${ended}: new generation, ${taken}` : taken;
}

interface Due {
  payload: HookPayload;
  transcriptPath: string;
  rules: Pick<Settings, "minSize" | "interval">;
}

function takeAndRelease(environment: Environment, { payload, transcriptPath, rules }: Due, lock: Lock): Appended {
  try {
    return takeSnapshot(environment, {
      sessionId: payload.sessionId,
      transcriptPath,
      cwd: payload.cwd,
      reason: payload.event,
      lastMessage: payload.lastAssistantMessage,
      isMarkDue: (copied, marked) => isMarkDue(payload.snapshot, { copied, marked }, rules),
    });
  } finally {
    lock.release();
  }
}

function lockTimeoutFor(payload: HookPayload): number {
  if (payload.handling.isLast) return lastLockTimeoutMs;
  return payload.snapshot === "any-growth" ? lockTimeoutMs : 0;
}

/**
 * `claude -p` exits right after Stop and kills background hooks that are still running; version 2.1.197 then also skips its
 * SessionEnd hooks. Claude waits for Stop, so Stop waits for the background hook.
 */
export async function letWaiterFinish({ paths }: Environment, sessionId: string): Promise<void> {
  const lock = await lockWithin(paths.waiterLock(sessionId), 2 * batchDelayMs);
  lock?.release();
}

/** Claude continues during this wait; when Claude exits, its SIGTERM ends the wait early. */
async function waitForBatch(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once("SIGTERM", resolve);
  await Promise.race([promise, Bun.sleep(batchDelayMs)]);
}

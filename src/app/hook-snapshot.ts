import type { HookPayload } from "../claude/hook-payload.ts";
import { keepsEverything } from "../core/snapshot-due.ts";
import { makeDirectory } from "../io/durable.ts";
import { lockWithin, tryLock } from "../store/lock.ts";
import type { Environment } from "./environment.ts";
import { takeSnapshot } from "./snapshot.ts";
import { startMaintenanceWhenDue } from "./start-maintenance.ts";

/** The transcript is written in batches about 100 ms apart, and the line that the hook is about comes last. */
const batchMilliseconds = 250;
/** Claude waits for these, so they wait only a little for whoever is at it. */
const lockMilliseconds = 800;
/** There is no later event: on a busy disk it is worth the wait, and if Claude cuts it off, nothing is lost by it. */
const lastLockMilliseconds = 5_000;

/** The part of a hook that has something to do. */
export async function snapshotUnderLock(
  environment: Environment,
  payload: HookPayload,
  transcriptPath: string,
): Promise<string> {
  const { paths } = environment;
  const { sessionId } = payload;
  makeDirectory(paths.locks);
  if (payload.event === "PostToolUse") {
    // Held until this process ends, so that Stop can tell. Who finds it taken leaves: somebody waits for this batch already.
    if (tryLock(paths.waiterLock(sessionId)) === "busy") return "left to the one that waits";
    await waitForBatch();
  }
  const lock = await lockWithin(paths.lock(sessionId), patienceFor(payload));
  if (lock === "busy") return "left to the one that is at it";
  try {
    const { mark, ended } = takeSnapshot(environment, {
      sessionId,
      transcriptPath,
      cwd: payload.cwd,
      reason: payload.event,
      lastMessage: payload.lastAssistantMessage,
    });
    // SessionEnd, which not every way of being called brings, does so in any case.
    if (mark && payload.event !== "SessionEnd") startMaintenanceWhenDue(environment);
    const taken = mark ? `mark ${mark.n} at ${mark.size} bytes` : "no whole line is new";
    return ended ? `the transcript was ${ended}: new generation, ${taken}` : taken;
  } finally {
    lock.release();
  }
}

function patienceFor(payload: HookPayload): number {
  if (payload.event === "SessionEnd") return lastLockMilliseconds;
  return keepsEverything(payload) ? lockMilliseconds : 0;
}

/**
 * Right after Stop a `claude -p` exits. A background hook that is then alive is killed, and 2.1.197 forgets its SessionEnd
 * hooks as well: so Stop, for which Claude waits, waits for it.
 */
export async function letWaiterFinish({ paths }: Environment, sessionId: string): Promise<void> {
  const lock = await lockWithin(paths.waiterLock(sessionId), 2 * batchMilliseconds);
  if (lock !== "busy") lock.release();
}

/** Claude goes on while this one waits for the transcript; when Claude ends, it is told by SIGTERM not to wait longer. */
async function waitForBatch(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once("SIGTERM", resolve);
  await Promise.race([promise, Bun.sleep(batchMilliseconds)]);
}

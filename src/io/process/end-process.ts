import { platform } from "../../platform/current.ts";
import { isSameProcess, type ProcessIdentity } from "./process.ts";

const pollIntervalMs = 50;

/**
 * Ends a process that we, or an earlier process of ours, started in its own group: asks first, kills after `timeoutMs`.
 * Does nothing when the pid belongs to another process by now.
 */
export async function endProcess(identity: ProcessIdentity, timeoutMs: number): Promise<void> {
  if (!signalProcess(identity, "SIGTERM")) return;
  if (!(await waitForEnd(identity, timeoutMs)) && isSameProcess(identity)) {
    platform.killGroup(identity.pid);
    await waitForEnd(identity, timeoutMs);
  }
}

/** Returns false when the process has already ended. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isSameProcess(identity)) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Returns false when the process still runs after the timeout. */
export async function waitForEnd(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isSameProcess(identity)) {
    if (performance.now() > deadline) return false;
    await Bun.sleep(pollIntervalMs);
  }
  return true;
}

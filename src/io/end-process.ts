import { platform } from "../platform/current.ts";
import { isSameProcess, type ProcessIdentity } from "./process.ts";

const look = 50;

/**
 * Ends a process that we, or one of us before, started as a group of its own: asked first, killed after `grace` milliseconds.
 * Nothing happens when its number belongs to another by now.
 */
export async function endProcess(identity: ProcessIdentity, grace: number): Promise<void> {
  if (!signalProcess(identity, "SIGTERM")) return;
  if (!(await hasGone(identity, grace)) && isSameProcess(identity)) {
    platform.killGroup(identity.pid);
    await hasGone(identity, grace);
  }
}

/** Returns false when it is not there any more. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isSameProcess(identity)) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch {
    return false;
  }
}

async function hasGone(identity: ProcessIdentity, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (isSameProcess(identity)) {
    if (performance.now() > deadline) return false;
    await Bun.sleep(look);
  }
  return true;
}

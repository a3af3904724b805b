// Programs that left their process group (the client's tools, our own hosts) still carry the sandbox's HOME in their
// environment or stand in one of its directories. Both paths were made for this sandbox alone, so they are its own.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The processes that still belong to the sandbox at this root. Linux only; elsewhere none are seen. */
export function leftoverProcesses(root: string): readonly number[] {
  if (process.platform !== "linux") return [];
  const numbers = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return numbers.map(Number).filter((pid) => belongsTo(root, pid));
}

export async function endLeftovers(root: string): Promise<void> {
  // Again until none is left: one of them may have started another while we looked.
  for (let pids = leftoverProcesses(root); pids.length > 0; pids = leftoverProcesses(root)) {
    for (const pid of pids) kill(pid);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function belongsTo(root: string, pid: number): boolean {
  try {
    if (`${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${root}/`)) return true;
    // Empty for a moment while a program is being loaded, which is why the directory is asked first.
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`HOME=${root}/home`);
  } catch {
    // It ended, or is not ours to look at.
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

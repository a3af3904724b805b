// Programs that left their process group (the client's tools, our hosts) still have the sandbox's HOME in their environment
// or one of its directories as working directory. Both paths are unique to this sandbox and identify its processes.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { until } from "../until.ts";

/** The processes that still belong to the sandbox at this root. Returns none on systems other than Linux. */
export function leftoverProcesses(root: string): readonly number[] {
  if (process.platform !== "linux") return [];
  const numbers = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return numbers.map(Number).filter((pid) => belongsTo(root, pid));
}

export async function endLeftovers(root: string): Promise<void> {
  const killed = new Set<number>();
  // Repeats, because a process may start another during the search.
  for (let pids = leftoverProcesses(root); pids.length > 0; pids = leftoverProcesses(root)) {
    for (const pid of pids) {
      kill(pid);
      killed.add(pid);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  // A dying process loses its environment and directory before it ends.
  await until(() => ![...killed].some(isRunning), "the killed processes to end");
}

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZXx] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

function belongsTo(root: string, pid: number): boolean {
  try {
    if (`${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${root}/`)) return true;
    // The environment is empty while a program is being loaded, so the working directory is checked first.
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`HOME=${root}/home`);
  } catch {
    // The process ended or belongs to another user.
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

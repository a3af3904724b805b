import { readdirSync, readFileSync } from "node:fs";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** The processes of this sandbox with these last words. */
function processesWith(sandbox: Sandbox, words: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return command.startsWith(sandbox.binDir) && command.includes(` ${words}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Kills the processes of this sandbox with these words. Returns how many there were. */
export function killProcesses(sandbox: Sandbox, words: string): number {
  const pids = processesWith(sandbox, words);
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
  return pids.length;
}

import type { Variables } from "../../core/variables.ts";
import { safeVariables } from "./start-detached.ts";

/** A program of ours that ends when this process does, however that happens: its input ends then. */
export interface HeldChild {
  readonly pid: number;
  /** What it printed; settles when it has ended. */
  readonly output: Promise<string>;
  /** Ends its input. */
  letGo(): void;
  kill(): void;
}

export function startHeld(command: string[], variables: Variables, directory: string): HeldChild {
  const child = Bun.spawn(command, {
    env: safeVariables(variables),
    cwd: directory,
    // Ctrl-C in the terminal of this process is not for it.
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return {
    pid: child.pid,
    output: Promise.all([new Response(child.stdout).text(), child.exited]).then(([text]) => text),
    letGo: () => void child.stdin.end(),
    kill: () => child.kill("SIGKILL"),
  };
}

/** Calls back when the process that started this one has ended, or has let go. */
export function onLetGo(callback: () => void): void {
  process.stdin.on("end", callback);
  process.stdin.on("error", callback);
  process.stdin.resume();
}

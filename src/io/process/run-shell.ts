import type { Variables } from "../../core/variables.ts";

/**
 * The output of a shell command that succeeds in time; otherwise undefined, and everything that it started is killed.
 * Killing only the shell would leave its children, which keep our pipe open.
 */
export async function runShell(
  command: string,
  options: { variables: Variables; milliseconds: number; stdin: string },
): Promise<string | undefined> {
  const late = Promise.withResolvers<undefined>();
  let timer: Timer | undefined;
  try {
    const child = Bun.spawn(["sh", "-c", command], {
      env: options.variables,
      stdin: new TextEncoder().encode(options.stdin),
      stdout: "pipe",
      stderr: "ignore",
      detached: true,
    });
    timer = setTimeout(() => {
      late.resolve(undefined);
      endGroup(child.pid);
    }, options.milliseconds);
    const whole = Promise.all([child.stdout.text(), child.exited]);
    const ended = await Promise.race([whole, late.promise]);
    return ended?.[1] === 0 ? ended[0] : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

// It leads its own process group and is alive or not yet reaped, so the pid is still its own.
function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/**
 * What a shell command prints, when it ends well and in time; otherwise undefined, and everything that it started is gone. A
 * killed shell alone would leave its children, and those the pipe that we read.
 */
export async function runShell(
  command: string,
  options: { variables: Record<string, string | undefined>; milliseconds: number; stdin: string },
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

// It was started as the leader of a group of its own, and is alive or not yet waited for: the number is still its.
function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}

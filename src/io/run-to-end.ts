export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end; undefined when it cannot be started or takes too long. */
export async function runToEnd(
  command: string[],
  options: { variables: Record<string, string | undefined>; milliseconds: number; stdin?: string },
): Promise<Ended | undefined> {
  try {
    const child = Bun.spawn(command, {
      env: options.variables,
      stdin: options.stdin === undefined ? "ignore" : new TextEncoder().encode(options.stdin),
      stdout: "pipe",
      stderr: "pipe",
      timeout: options.milliseconds,
      killSignal: "SIGKILL",
    });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return child.signalCode === null ? { exitCode, stdout, stderr } : undefined;
  } catch {
    return undefined;
  }
}

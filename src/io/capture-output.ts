/** What a program prints; undefined when it cannot be started, fails, or takes too long. */
export async function captureOutput(
  command: string[],
  variables: Record<string, string | undefined>,
  milliseconds: number,
): Promise<string | undefined> {
  try {
    const child = Bun.spawn(command, {
      env: variables,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: milliseconds,
      killSignal: "SIGKILL",
    });
    const printed = await child.stdout.text();
    return (await child.exited) === 0 ? printed : undefined;
  } catch {
    return undefined;
  }
}

export interface ChildEnd {
  exitCode: number;
  signal: NodeJS.Signals | undefined;
}

/** Runs a program in our place: same terminal, same streams. Signals sent to us alone are handed on to it. */
export async function runInPlace(command: string[], variables: Record<string, string | undefined>): Promise<ChildEnd> {
  const child = Bun.spawn(command, { env: variables, stdio: ["inherit", "inherit", "inherit"] });
  // The terminal sends Ctrl-C to the child as well: we only must not die before it does.
  const ignore = (): void => {};
  const handOn = (signal: NodeJS.Signals): void => child.kill(signal);
  const handed = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"] as const;
  process.on("SIGINT", ignore);
  process.on("SIGQUIT", ignore);
  for (const signal of handed) process.on(signal, handOn);
  await child.exited;
  process.off("SIGINT", ignore);
  process.off("SIGQUIT", ignore);
  for (const signal of handed) process.off(signal, handOn);
  return { exitCode: child.exitCode ?? 1, signal: (child.signalCode as NodeJS.Signals | null) ?? undefined };
}

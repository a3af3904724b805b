export interface CommandResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end, without a terminal. */
export async function runProgram(
  command: readonly string[],
  { stdin = "", ...options }: { env: Readonly<Record<string, string>>; cwd?: string; stdin?: string },
): Promise<CommandResult> {
  const child = Bun.spawn([...command], {
    ...options,
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}

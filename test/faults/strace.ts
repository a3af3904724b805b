// Runs a program under strace, which shows, fails or kills at the system calls on chosen files.

/** Why there can be no such test here; undefined when there can. */
export const straceProblem: string | undefined = findProblem();

export type Traced = {
  readonly stdout: string;
  readonly killed: boolean;
  /** One line for each call on the files: `name(arguments) = result`. */
  readonly calls: readonly string[];
};

export type Fault = { readonly call: string; readonly nth: number; readonly effect: string };

export type TraceOptions = {
  /** Only calls on these count; none means every call. `$$` is the process, whose pid is the same with and without strace. */
  readonly paths: readonly string[];
  readonly calls: readonly string[];
  readonly fault?: Fault;
  readonly stdin?: string;
  readonly env?: Record<string, string>;
};

export async function trace(
  command: readonly string[],
  { paths, calls, fault, stdin = "", env }: TraceOptions,
): Promise<Traced> {
  const options = [
    "-D", // The tracer is the grandchild, so the program keeps the pid of the shell that becomes it.
    "-f",
    "-qq",
    "-y",
    ...paths.flatMap((path) => ["-P", path]),
    // The question mark: not every architecture has every one of them.
    "-e",
    `trace=${calls.map((call) => `?${call}`).join(",")}`,
    ...(fault ? ["-e", `inject=${fault.call}:${fault.effect}:when=${fault.nth}`] : []),
  ];
  // Double quotes let the shell put in its pid; the paths are a test's own and need no more.
  const line = ["exec", "strace", ...options, ...command].map((word) => `"${word}"`).join(" ");
  const child = Bun.spawn(["sh", "-c", line.replace('"exec"', "exec")], {
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
    ...(env ? { env } : {}),
  });
  // Both pipes end with the tracer, so everything it saw has been written.
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await child.exited;
  return {
    stdout,
    killed: child.signalCode === "SIGKILL",
    calls: stderr
      .split("\n")
      .map((text) => text.replace(/^\[pid +\d+\] /, ""))
      .filter((text) => /^[a-z]\w*\(/.test(text)),
  };
}

function findProblem(): string | undefined {
  if (process.platform !== "linux") return "strace exists on Linux only";
  if (Bun.which("strace") === null) return "strace is not installed";
  const { exitCode, stderr } = Bun.spawnSync(["strace", "-qq", "-e", "trace=none", "true"]);
  return exitCode === 0 ? undefined : `strace may not trace here: ${stderr.toString().trim()}`;
}

// Runs a program under strace, which records system calls on chosen files, makes them fail, or kills the program there.

/** Why this machine cannot run these tests; undefined when it can. */
export const straceProblem: string | undefined = findProblem();

export type Traced = {
  readonly stdout: string;
  readonly killed: boolean;
  /** One line per recorded call: `name(arguments) = result`. */
  readonly calls: readonly string[];
};

export type Fault = { readonly call: string; readonly nth: number; readonly effect: string };

export type TraceOptions = {
  /** Records calls on these paths only; empty means all calls. `$$` is the pid of the traced program. */
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
    "-D", // Runs the tracer as a grandchild, so that the program keeps the pid of the shell.
    "-f",
    "-qq",
    "-y",
    ...paths.flatMap((path) => ["-P", path]),
    // The question mark ignores calls that this architecture lacks.
    "-e",
    `trace=${calls.map((call) => `?${call}`).join(",")}`,
    ...(fault ? ["-e", `inject=${fault.call}:${fault.effect}:when=${fault.nth}`] : []),
  ];
  // Double quotes let the shell expand $$; test paths need no further quoting.
  const line = ["exec", "strace", ...options, ...command].map((word) => `"${word}"`).join(" ");
  const child = Bun.spawn(["sh", "-c", line.replace('"exec"', "exec")], {
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
    ...(env ? { env } : {}),
  });
  // Both pipes close when the tracer exits, so its output is complete by then.
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
  if (process.platform !== "linux") return "strace needs Linux";
  if (Bun.which("strace") === null) return "strace is not installed";
  const { exitCode, stderr } = Bun.spawnSync(["strace", "-qq", "-e", "trace=none", "true"]);
  return exitCode === 0 ? undefined : `strace is not permitted to trace: ${stderr.toString().trim()}`;
}

export interface Case {
  name: string;
  command: string[];
  stdin?: string;
  /** Before each run, outside of the clock. */
  prepare?(): void;
}

/** Milliseconds. */
export interface Timing {
  /** Of the wall clock. */
  fastest: number;
  median: number;
  /** Processor time, in the median: a busy machine hardly changes it, but waiting for the disk is not in it. */
  processor: number;
}

const warmUp = 2;

/**
 * Runs the cases in turn, round after round: what else the machine does in the meantime slows all of them alike, so that
 * their ratios hold where their times do not.
 */
export async function measure(
  cases: readonly Case[],
  rounds: number,
  env: Record<string, string>,
): Promise<Map<string, Timing>> {
  const samples = new Map(cases.map(({ name }) => [name, [] as Sample[]]));
  for (let round = -warmUp; round < rounds; round++) {
    // Lets a signal be heard.
    await Bun.sleep(0);
    for (const one of cases) {
      const sample = timeRun(one, env);
      if (round >= 0) samples.get(one.name)?.push(sample);
    }
  }
  return new Map([...samples].map(([name, taken]) => [name, summarize(taken)]));
}

interface Sample {
  wall: number;
  processor: number;
}

function timeRun({ name, command, stdin = "", prepare }: Case, env: Record<string, string>): Sample {
  prepare?.();
  const input = new TextEncoder().encode(stdin);
  const start = performance.now();
  const run = Bun.spawnSync(command, { env, stdin: input, stdout: "ignore", stderr: "ignore" });
  const wall = performance.now() - start;
  if (run.exitCode !== 0) throw new Error(`${name}: ${command.join(" ")} ended with exit code ${run.exitCode}`);
  return { wall, processor: Number(run.resourceUsage.cpuTime.total) / 1000 };
}

function summarize(samples: readonly Sample[]): Timing {
  const ascending = (key: keyof Sample): number[] => samples.map((one) => one[key]).sort((a, b) => a - b);
  const middle = Math.floor(samples.length / 2);
  const wall = ascending("wall");
  return {
    fastest: wall[0] ?? Number.NaN,
    median: wall[middle] ?? Number.NaN,
    processor: ascending("processor")[middle] ?? Number.NaN,
  };
}

/** How long until the last program in a chain runs: it must print the time, in nanoseconds since 1970, and end. */
export function measureStarts(
  cases: readonly (Case & { readonly env: Record<string, string> })[],
  rounds: number,
): Map<string, Timing> {
  const samples = new Map(cases.map(({ name }) => [name, [] as number[]]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const { name, command, env } of cases) {
      const start = performance.timeOrigin + performance.now();
      const { stdout } = Bun.spawnSync(command, { env, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
      const started = Number(BigInt(stdout.toString().trim()) / 1000n) / 1000;
      if (round >= 0) samples.get(name)?.push(started - start);
    }
  }
  return new Map(
    [...samples].map(([name, times]) => [name, summarize(times.map((wall) => ({ wall, processor: Number.NaN })))]),
  );
}

/** In kB. By a small program in between: a child's figure is never below that of the one that started it. */
export function peakMemory(command: string[], stdin: string, env: Record<string, string>): number | undefined {
  const time = Bun.which("time", { PATH: "/usr/bin:/bin" });
  if (time === null) return undefined;
  const input = new TextEncoder().encode(stdin);
  const run = Bun.spawnSync([time, "-f", "%M", ...command], { env, stdin: input, stdout: "ignore", stderr: "pipe" });
  const kilobytes = Number(run.stderr.toString().trim().split("\n").at(-1));
  return Number.isFinite(kilobytes) ? kilobytes : undefined;
}

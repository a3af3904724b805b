export interface Case {
  name: string;
  command: string[];
  stdin?: string;
  /** Runs before each measurement, untimed. */
  prepare?(): void;
}

/** Milliseconds. */
export interface Timing {
  /** Wall-clock time. */
  fastest: number;
  median: number;
  /** Median processor time: nearly independent of machine load, but without the time spent waiting for the disk. */
  processor: number;
}

/** Runs that are not counted. */
export const warmUp = 2;

/**
 * Runs the cases alternately, round after round, so that machine load slows all of them equally and the ratios stay valid.
 */
export async function measure(
  cases: readonly Case[],
  rounds: number,
  env: Record<string, string>,
): Promise<Map<string, Timing>> {
  const samples = new Map(cases.map(({ name }) => [name, [] as Sample[]]));
  for (let round = -warmUp; round < rounds; round++) {
    // Lets the event loop handle a signal.
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
  if (run.exitCode !== 0) throw new Error(`${name}: ${command.join(" ")} exited with ${run.exitCode}`);
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

/** Milliseconds until the last program of a chain runs; it must print the time in nanoseconds since 1970 and exit. */
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

/** Peak memory in kB. Measured through a small program, because a child's maximum includes its parent's memory. */
export function peakMemory(command: string[], stdin: string, env: Record<string, string>): number | undefined {
  const time = Bun.which("time", { PATH: "/usr/bin:/bin" });
  if (time === null) return undefined;
  const input = new TextEncoder().encode(stdin);
  const run = Bun.spawnSync([time, "-f", "%M", ...command], { env, stdin: input, stdout: "ignore", stderr: "pipe" });
  const kilobytes = Number(run.stderr.toString().trim().split("\n").at(-1));
  return Number.isFinite(kilobytes) ? kilobytes : undefined;
}

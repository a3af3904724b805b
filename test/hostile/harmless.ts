import { expect } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { FaultWorld } from "../faults/fault-world.ts";

const timeoutMs = 120_000;
const maxMemoryBytes = 600_000_000;
/** The documented exit codes; any other is a crash. */
const documented = new Set([0, 1, 2, 3, 4, 5, 6, 75, 77, 127]);
const traces =
  /\b(TypeError|RangeError|ReferenceError|SyntaxError|undefined is not|is not a function|is not iterable)\b|^ +at .*:\d+|Bun v\d/m;

export interface Harmless {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command that must end in time, with a documented exit code, without a stack trace and in bounded memory. */
export async function runHarmless(
  world: FaultWorld,
  words: readonly string[],
  { stdin = "", what }: { stdin?: string | Uint8Array; what: string },
): Promise<Harmless> {
  const child = Bun.spawn([world.program, ...words], {
    env: world.env,
    cwd: world.directory,
    stdin: typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin,
    stdout: "pipe",
    stderr: "pipe",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const exitCode = await child.exited;
  const at = `${words.join(" ").slice(0, 300)}: ${what}`;
  expect([at, child.signalCode, documented.has(exitCode), exitCode, stderr]).toEqual([
    at,
    null,
    true,
    exitCode,
    stderr,
  ]);
  expect([at, traces.exec(stderr)?.[0]]).toEqual([at, undefined]);
  expect([at, (child.resourceUsage()?.maxRSS ?? 0) < Math.max(maxMemoryBytes, inherited())]).toEqual([at, true]);
  expect([at, outsiders(world)]).toEqual([at, []]);
  return { exitCode, stdout, stderr };
}

/** A child's maximum starts with the memory of its parent, here the test runner. */
const inherited = (): number => 1.2 * (Bun.spawnSync(["true"]).resourceUsage?.maxRSS ?? 0);

/** Files outside the directories where our programs may write. */
function outsiders(world: FaultWorld): string[] {
  const known = new Set(["bin", "home", "kept", "notes"]);
  const beside = readdirSync(world.root).filter((name) => !known.has(name));
  return [...beside, ...(existsSync(join(world.root, "../outside")) ? ["../outside"] : [])];
}

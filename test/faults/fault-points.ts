// Records every system call that a command makes on files below its home, and reruns the command with one of them failing.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FaultWorld } from "./fault-world.ts";
import type { Command } from "./story.ts";

/** The n-th system call of this name in one of the command's threads. */
export interface Point {
  readonly call: string;
  readonly nth: number;
  /** The line printed by strace, for the failure message. */
  readonly shown: string;
}

/** A fault: its name in the test title, strace's injection option, and the calls it applies to. */
export interface Effect {
  readonly name: string;
  readonly injection: string;
  happensAt(point: Point): boolean;
  /** The call reports a success that it did not have. */
  readonly isLie?: boolean;
}

const writes = ["pwrite64", "write"];
const reads = ["read", "pread64"];
const changes =
  "fsync fdatasync ftruncate fchmod rename renameat2 link linkat symlink symlinkat unlink unlinkat mkdir rmdir".split(
    " ",
  );
const traced = ["openat", "flock", ...reads, ...writes, ...changes];

const needsSpace = ({ call, shown }: Point): boolean =>
  [...writes, "fsync", "fdatasync", "mkdir", "link", "rename"].includes(call) ||
  (call === "openat" && shown.includes("O_CREAT"));

export const effects: readonly Effect[] = [
  // Reads change nothing: a kill at a read equals a kill at the call before.
  { name: "killed", injection: "signal=SIGKILL", happensAt: ({ call }) => !reads.includes(call) },
  { name: "disk error", injection: "error=EIO", happensAt: () => true },
  { name: "no space left", injection: "error=ENOSPC", happensAt: needsSpace },
  { name: "short write", injection: "retval=7", happensAt: ({ call }) => writes.includes(call), isLie: true },
];

interface Traced {
  readonly exitCode: number | null;
  readonly killed: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly points: readonly Point[];
  /** True when the fault hit a call on a file below the home. */
  readonly hit: boolean;
}

export async function runTraced(
  world: FaultWorld,
  { words, stdin = "", env = {}, cwd = world.directory }: Command,
  fault?: { point: Point; injection: string },
): Promise<Traced> {
  const log = join(world.root, "strace");
  // Without --seccomp-bpf, which disables signal injection.
  const options = ["-D", "-f", "-qq", "-y", "-o", log, "-e", `trace=${traced.map((c) => `?${c}`)}`];
  if (fault) options.push("-e", `inject=${fault.point.call}:${fault.injection}:when=${fault.point.nth}`);
  const child = Bun.spawn(["strace", ...options, world.program, ...words], {
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
    cwd,
    env: { ...world.env, ...env },
  });
  // The pipes close when the tracer exits, so its log is complete by then.
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const lines = readFileSync(log, "utf8").split("\n");
  rmSync(log);
  const points = pointsIn(lines, world.home);
  const killed = child.signalCode === "SIGKILL";
  const injected = lines.some((line) => line.includes("(INJECTED)") && isAbout(line, world.home));
  return { exitCode, killed, stdout, stderr, points, hit: killed || injected };
}

function pointsIn(lines: readonly string[], home: string): Point[] {
  const counts = new Map<string, number>();
  const points = new Map<string, Point>();
  const others = new Set<string>();
  for (const line of lines) {
    // `4711 openat(…) = 3`; a call interrupted by another thread appears twice, at its start and its end.
    const [, thread, call] = /^(\d+) +([a-z]\w*)\(/.exec(line) ?? [];
    if (thread === undefined || call === undefined) continue;
    const nth = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, nth);
    const key = `${call} ${nth}`;
    if (isAbout(line, home)) points.set(key, { call, nth, shown: line.replace(/^\d+ +/, "").slice(0, 300) });
    else others.add(key);
  }
  // strace counts per thread, so the same number in another thread, on another file, fails as well.
  return [...points].filter(([key]) => !others.has(key)).map(([, point]) => point);
}

function isAbout(line: string, home: string): boolean {
  const named = line.replace(/AT_FDCWD<[^>]*>/, "");
  return named.includes(`"${home}`) || named.includes(`<${home}`);
}

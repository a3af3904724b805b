// A full or read-only disk: the command leaves the old or the new state, reports correctly, and the next command recovers.
import { expect, test } from "bun:test";
import { readdirSync, statfsSync } from "node:fs";
import { endLeftovers } from "../support/sandbox/leftover-processes.ts";
import { inFull, sampleOf, tally } from "./extent.ts";
import { FaultWorld } from "./fault-world.ts";
import { ageLeftovers } from "./leftovers.ts";
import { allStories } from "./stories/all.ts";
import type { Story } from "./story.ts";

/** A shortage, as mount options for the amount left, or as a limit set by the shell. */
interface Shortage {
  readonly name: string;
  /** The amounts left; each is tried in a separate run. */
  readonly left: readonly number[];
  options(world: FaultWorld, left: number): string;
  readonly limit?: (left: number) => string;
}

const page = 4096;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const shortages: readonly Shortage[] = [
  {
    name: "full disk",
    left: upTo(24),
    options: (world, left) => `size=${Math.max(1, usedPages(world.home) + left) * page}`,
  },
  { name: "no free inodes", left: upTo(10), options: (world, left) => `nr_inodes=${usedFiles(world.home) + left}` },
  { name: "read-only disk", left: [0], options: () => "ro" },
  {
    name: "file size limit",
    left: [0, 1, 2, 8, 64],
    options: () => "rw",
    limit: (left) => `ulimit -f ${left}`,
  },
];

const usedPages = (path: string): number => {
  const { blocks, bfree, bsize } = statfsSync(path);
  return ((blocks - bfree) * bsize) / page;
};
const usedFiles = (path: string): number => {
  const { files, ffree } = statfsSync(path);
  return files - ffree;
};

const mountable = canMount();
const skipReason = mountable ? "" : " (skipped: no permission to mount)";

for (const story of allStories) {
  for (const shortage of sampleOf(shortages, 1, story.title)) {
    const title = `${story.title}, ${shortage.name}: leaves the old or the new state, and the next start with free space recovers${skipReason}`;
    test.skipIf(!mountable)(title, () => runShort(story, shortage), inFull ? 600_000 : 120_000);
  }
}

async function runShort(story: Story, shortage: Shortage): Promise<void> {
  using world = new FaultWorld();
  const { words, ...how } = await story.prepare(world);
  world.keep();
  await world.runtime(words, how);
  expect(await story.outcome(world)).toBe("new");
  world.startOver();
  const chosen = sampleOf(shortage.left, 1, story.title + shortage.name);
  for (const left of chosen) {
    mount(world.home, "size=64m,mode=755");
    try {
      world.fill();
      mount(world.home, `remount,${shortage.options(world, left)}`);
      const limit = shortage.limit?.(left) ?? ":";
      const run = await world.runtime(words, { ...how, through: ["sh", "-c", `${limit}; exec "$@"`, "sh"] });
      mount(world.home, "remount,rw,size=64m,nr_inodes=0");
      await expectTruthful(world, story, run, `${shortage.name}, ${left} left`);
    } finally {
      // What a command left in the background keeps the file system busy.
      await endLeftovers(world.root);
      Bun.spawnSync(["umount", world.home]);
    }
    expect(readdirSync(world.bin)).toContain("ai-runtime");
  }
  tally(chosen.length, story.title, shortage.name);
}

async function expectTruthful(
  world: FaultWorld,
  story: Story,
  run: { exitCode: number | null; stdout: string; stderr: string },
  at: string,
): Promise<void> {
  try {
    const outcome = await story.outcome(world);
    if (story.alwaysSucceeds) {
      expect([run.exitCode, run.stderr]).toEqual([0, ""]);
      expect(run.stdout).toMatch(story.prints ?? /^$/);
    } else if (run.exitCode === (story.exitCode ?? 0)) {
      expect(outcome).toBe("new");
    } else {
      // One clear sentence with what, where and why. A run prints it in its own screen format.
      expect(run.stderr).toMatch(/^(?:[a-z -]+:|[!✘]) .*\S/m);
    }
    ageLeftovers(world.root);
    await story.recover(world);
  } catch (error) {
    throw new Error(`${story.title}: ${at} (exit code ${run.exitCode}, ${run.stderr.trim()})`, { cause: error });
  }
}

function mount(path: string, options: string): void {
  const { exitCode, stderr } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", path]);
  if (exitCode !== 0) throw new Error(`mount ${options}: ${stderr.toString().trim()}`);
}

function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  using world = new FaultWorld();
  const { exitCode } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=48k", "tmpfs", world.home]);
  return exitCode === 0 && Bun.spawnSync(["umount", world.home]).exitCode === 0;
}

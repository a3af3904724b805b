// The power fails at any moment: what was acknowledged is there afterwards, and everything else is old or new.
import { expect, test } from "bun:test";
import { inFull, sampleOf, tally } from "./extent.ts";
import { FaultWorld } from "./fault-world.ts";
import { type Point, runTraced } from "./fault-points.ts";
import { ageLeftovers } from "./leftovers.ts";
import { type Cut, type FileSystemName, LoopDisk, loopDiskProblem } from "./loop-disk.ts";
import { straceProblem } from "./strace.ts";
import type { Command, Story } from "./story.ts";

/** A library that makes every sync do nothing: with it these tests must fail. */
export const careless = process.env["FAULTS_CARELESS_LIBRARY"];

/** Why no power can be cut here; undefined when it can. */
export const powerCutProblem = (fileSystem: FileSystemName): string | undefined =>
  straceProblem ?? loopDiskProblem(fileSystem);

/** What one file system writes out in passing, another keeps back: so each is tried for itself. */
export function testPowerCuts(stories: readonly Story[], fileSystem: FileSystemName): void {
  const problem = powerCutProblem(fileSystem);
  const why = problem === undefined ? "" : ` (skipped: ${problem})`;
  for (const story of stories) {
    const title = `${story.title}, ${fileSystem}: a power cut leaves old or new, and after its end it leaves new${why}`;
    test.skipIf(problem !== undefined)(title, () => cutEverywhere(story, fileSystem), inFull ? 1_800_000 : 120_000);
  }
}

async function cutEverywhere(story: Story, fileSystem: FileSystemName): Promise<void> {
  using world = new FaultWorld();
  const prepared = await story.prepare(world);
  const command = careless ? { ...prepared, env: { ...prepared.env, LD_PRELOAD: careless } } : prepared;
  world.keep();
  const clean = await runTraced(world, prepared);
  expect(await story.outcome(world)).toBe("new");
  world.startOver();
  // What is lost at a cut is decided by what changed the disk before it: questions are no places of their own.
  const places = clean.points.filter(({ call, shown }) => changes(call, shown));
  const cuts: [Point | undefined, Cut][] = [...places, undefined].flatMap((point): [Point | undefined, Cut][] => [
    [point, "journal dropped"],
    [point, "journal flushed"],
  ]);
  // After the command's end it is tried in any case: there it has made its promise.
  const ends = cuts.slice(-2);
  const chosen = [...sampleOf(cuts.slice(0, -2), 1, story.title), ...(inFull ? ends : ends.slice(0, 1))];
  using disk = new LoopDisk(world.home, fileSystem);
  for (const [point, cut] of chosen) await cutAt(disk, world, story, { command, point, cut });
  tally(chosen.length, story.title, `power cut, ${fileSystem}`);
}

const changes = (call: string, shown: string): boolean =>
  !["read", "pread64", "flock"].includes(call) && (call !== "openat" || shown.includes("O_CREAT"));

async function cutAt(
  disk: LoopDisk,
  world: FaultWorld,
  story: Story,
  { command, point, cut }: { command: Command; point: Point | undefined; cut: Cut },
): Promise<void> {
  disk.insertNew();
  world.fill();
  disk.sync();
  await runTraced(world, command, point && { point, injection: "signal=SIGKILL" });
  disk.cutPower(cut);
  try {
    const outcome = await story.outcome(world);
    if (point === undefined) expect(outcome).toBe("new");
    ageLeftovers(world.root);
    await story.heal(world);
  } catch (error) {
    const where = point ? `before ${point.call} ${point.nth}: ${point.shown}` : "after its end";
    throw new Error(`${story.title}: power cut, ${cut}, ${where}`, { cause: error });
  }
}

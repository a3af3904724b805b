// Power cuts at any point: acknowledged changes survive, and everything else is in the old or the new state.
import { expect, test } from "bun:test";
import { endLeftovers } from "../support/sandbox/leftover-processes.ts";
import { inFull, sampleOf, tally } from "./extent.ts";
import { FaultWorld } from "./fault-world.ts";
import { type Point, runTraced } from "./fault-points.ts";
import { ageLeftovers } from "./leftovers.ts";
import { type Cut, type FileSystemName, LoopDisk, loopDiskProblem } from "./loop-disk.ts";
import { straceProblem } from "./strace.ts";
import type { Command, Story } from "./story.ts";

/** A preload library that turns every sync into a no-op: with it these tests must fail. */
export const noSyncLibrary = process.env["FAULTS_CARELESS_LIBRARY"];

/** Why this machine cannot simulate power cuts; undefined when it can. */
export const powerCutProblem = (fileSystem: FileSystemName): string | undefined =>
  straceProblem ?? loopDiskProblem(fileSystem);

/** File systems differ in what they write without a sync, so each is tested separately. */
export function testPowerCuts(stories: readonly Story[], fileSystem: FileSystemName): void {
  const problem = powerCutProblem(fileSystem);
  const skipReason = problem === undefined ? "" : ` (skipped: ${problem})`;
  for (const story of stories) {
    const title = `${story.title}, ${fileSystem}: a power cut leaves the old or the new state, and after the command ends the new state${skipReason}`;
    test.skipIf(problem !== undefined)(title, () => cutEverywhere(story, fileSystem), inFull ? 1_800_000 : 120_000);
  }
}

async function cutEverywhere(story: Story, fileSystem: FileSystemName): Promise<void> {
  using world = new FaultWorld();
  const prepared = await story.prepare(world);
  const command = noSyncLibrary ? { ...prepared, env: { ...prepared.env, LD_PRELOAD: noSyncLibrary } } : prepared;
  world.keep();
  const clean = await runTraced(world, prepared);
  expect(await story.outcome(world)).toBe("new");
  world.startOver();
  // Only changes before the cut matter, so read calls are not separate points.
  const places = clean.points.filter(({ call, shown }) => changes(call, shown));
  const cuts: [Point | undefined, Cut][] = [...places, undefined].flatMap((point): [Point | undefined, Cut][] => [
    [point, "journal dropped"],
    [point, "journal flushed"],
  ]);
  // The cut after the command ends is always tried, because the command has reported success by then.
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
  // A power cut ends every process.
  await endLeftovers(world.root);
  disk.cutPower(cut);
  try {
    const outcome = await story.outcome(world);
    if (point === undefined) expect(outcome).toBe("new");
    ageLeftovers(world.root);
    await story.recover(world);
  } catch (error) {
    const where = point ? `before ${point.call} ${point.nth}: ${point.shown}` : "after its end";
    throw new Error(`${story.title}: power cut, ${cut}, ${where}`, { cause: error });
  } finally {
    await endLeftovers(world.root);
  }
}

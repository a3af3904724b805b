import { expect, test } from "bun:test";
import { inFull, sampleOf, tally } from "./extent.ts";
import { FaultWorld } from "./fault-world.ts";
import { type Effect, effects, type Point, runTraced } from "./fault-points.ts";
import { ageLeftovers, leftovers } from "./leftovers.ts";
import { expectPrivate } from "./private-files.ts";
import { straceProblem } from "./strace.ts";
import type { Command, Story } from "./story.ts";

/** Points per story and effect in `npm test`. */
const sampledPoints = 2;

/** Adds one test per effect: it runs the command once per system call, each time from the same initial state. */
export function testEveryStep(stories: readonly Story[]): void {
  for (const story of stories) {
    for (const effect of effects) {
      const title = `${story.title}, ${effect.name} at every step: leaves the old or the new state, and the next start recovers`;
      test.skipIf(straceProblem !== undefined)(title, () => tryEveryStep(story, effect), inFull ? 1_800_000 : 120_000);
    }
  }
}

async function tryEveryStep(story: Story, effect: Effect): Promise<void> {
  using world = new FaultWorld();
  const command = await story.prepare(world);
  world.keep();
  const clean = await runTraced(world, command);
  expect([clean.exitCode, clean.stderr]).toEqual([story.exitCode ?? 0, clean.stderr]);
  expect(await story.outcome(world)).toBe("new");
  const all = clean.points.filter((point) => effect.happensAt(point));
  expect(all.length).toBeGreaterThan(0);
  const points = sampleOf(all, sampledPoints, story.title + effect.name);
  let hits = 0;
  for (const point of points) hits += (await tryPoint(world, story, command, { point, effect })) ? 1 : 0;
  // Thread scheduling can differ from the first run, but rarely does.
  if (!story.isUneven) expect(hits).toBeGreaterThanOrEqual(Math.floor(points.length * 0.8));
  tally(points.length, story.title, effect.name);
}

async function tryPoint(
  world: FaultWorld,
  story: Story,
  command: Command,
  { point, effect }: { point: Point; effect: Effect },
): Promise<boolean> {
  world.startOver();
  const run = await runTraced(world, command, { point, injection: effect.injection });
  try {
    const outcome = await story.outcome(world);
    const claimsSuccess = !run.killed && run.exitCode === (story.exitCode ?? 0) && !story.alwaysSucceeds;
    if (claimsSuccess) expect(outcome).toBe("new");
    if (story.alwaysSucceeds && !run.killed) {
      expect([run.exitCode, run.stderr]).toEqual([0, ""]);
      expect(run.stdout).toMatch(story.prints ?? /^$/);
    }
    expectPrivate(world.home);
    ageLeftovers(world.root);
    world.diskLied = run.hit && effect.isLie === true;
    await story.recover(world);
    expectPrivate(world.home);
    await world.run(["maintain"]);
    if (!story.leavesTemporaries) expect(leftovers(world.root)).toEqual([]);
    return run.hit;
  } catch (error) {
    const result = `exit code ${run.exitCode}, ${run.stderr.trim() || "nothing on stderr"}`;
    throw new Error(`${story.title}: ${effect.name} at ${point.call} ${point.nth}: ${point.shown}\n(${result})`, {
      cause: error,
    });
  }
}

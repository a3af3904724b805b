// The search index is a cache that SQLite writes: after any fault, a search finds everything.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const first = "first-session";
const second = "second-session";

async function found(world: FaultWorld, word: string): Promise<string[]> {
  const { exitCode, stdout, stderr } = await world.run(["search", word, "--json"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return (JSON.parse(stdout) as { results: { session: string }[] }).results.map(({ session }) => session);
}

async function expectEverything(world: FaultWorld): Promise<void> {
  // Only such a disk can leave an index that is readable and wrong: maintenance finds that.
  if (world.diskLied) {
    const { exitCode, stderr } = await world.run(["search", "beta"]);
    expect([[0, 4].includes(exitCode ?? -1), stderr.replace("Nothing found.\n", "")]).toEqual([true, ""]);
    if (exitCode === 4) await world.run(["maintain"]);
  }
  // More texts match than are shown of one session.
  expect(new Set(await found(world, "alpha"))).toEqual(new Set([first]));
  expect(new Set(await found(world, "beta"))).toEqual(new Set([second]));
}

/** A search that builds the index: whatever fails, it answers or says why. */
const build: Story = {
  title: "search that indexes",
  async prepare(world) {
    world.grow(first, 60_000, "alpha");
    world.grow(second, 60_000, "beta");
    return { words: ["session-snapshot", "search", "alpha", "--quiet"] };
  },
  // A cache has no state that could be lost: the answer counts.
  outcome: () => "new",
  recover: expectEverything,
};

/** An update of an existing index, by maintenance. */
const update: Story = {
  title: "maintenance that indexes",
  alwaysSucceeds: true,
  async prepare(world) {
    world.grow(first, 60_000, "alpha");
    await world.run(["search", "alpha"]);
    world.grow(second, 60_000, "beta");
    return { words: ["session-snapshot", "maintain"] };
  },
  outcome: () => "new",
  recover: expectEverything,
};

const isSaved = (world: FaultWorld, id: string): boolean => {
  try {
    return world.files.mirror(id).subarray(0, world.files.state(id).size).equals(world.read(id));
  } catch {
    return false;
  }
};

/** A backfill: what it acknowledged is saved, and the next one saves the rest. */
const backfill: Story = {
  title: "backfill",
  async prepare(world) {
    world.grow(first, 60_000, "alpha");
    world.grow(second, 60_000, "beta");
    return { words: ["session-snapshot", "backfill"] };
  },
  outcome: (world) => (isSaved(world, first) && isSaved(world, second) ? "new" : "old"),
  async recover(world) {
    expect((await world.run(["backfill"])).exitCode).toBe(0);
    for (const id of [first, second]) {
      expect(isSaved(world, id)).toBe(true);
      expect(world.files.state(id).marks).toHaveLength(1);
    }
    const record = JSON.parse(readFileSync(join(world.files.root, "backfill.json"), "utf8")) as { finishedAt: number };
    expect(record.finishedAt).toBeGreaterThan(0);
  },
};

export const searchStories: readonly Story[] = [build, update, backfill];

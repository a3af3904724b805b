// Packing and unpacking: the copy that the state names is whole, and every mark can be restored.
import { expect } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ageSnapshot } from "../../support/age-snapshot.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const id = "cold-session";
/** Two frames, so that a kill can come between them. */
const size = 4_300_000;

let transcript: Buffer = Buffer.alloc(0);

async function coldSession(world: FaultWorld): Promise<void> {
  world.grow(id, 100_000, "first");
  await world.hook(id);
  world.grow(id, size - 100_000, "second");
  await world.hook(id);
  transcript = world.read(id);
  ageSnapshot(world.files.root, id, 20);
  world.grow("other", 10_000);
  await world.hook("other");
}

/** Of the session's copies, which are there. */
const copies = (world: FaultWorld): string[] =>
  readdirSync(join(world.files.root, "snapshots"))
    .filter((name) => name.startsWith(`${id}.jsonl`))
    .sort();

async function expectRestorable(world: FaultWorld): Promise<void> {
  rmSync(world.transcript(id));
  const first = await world.run(["restore", id, "--to", "1"]);
  expect([first.exitCode, first.stderr]).toEqual([0, first.stderr]);
  expect(world.read(id).equals(transcript.subarray(0, world.read(id).length))).toBe(true);
  const second = await world.run(["restore", id, "--to", "2"]);
  expect([second.exitCode, second.stderr]).toEqual([0, second.stderr]);
  expect(world.read(id).equals(transcript)).toBe(true);
}

const pack: Story = {
  title: "packing",
  // It is nobody's command: what it could not do is in its record, for `status`.
  alwaysSucceeds: true,
  async prepare(world) {
    await coldSession(world);
    return { words: ["session-snapshot", "maintain"] };
  },
  outcome(world) {
    const isPacked = world.files.state(id).packed !== undefined;
    // Whatever else lies there, the one that the state names does.
    expect(copies(world)).toContain(isPacked ? `${id}.jsonl.zst` : `${id}.jsonl`);
    return isPacked ? "new" : "old";
  },
  async heal(world) {
    expect((await world.run(["maintain"])).exitCode).toBe(0);
    expect(copies(world)).toEqual([`${id}.jsonl.zst`]);
    await expectRestorable(world);
  },
};

/** As it was interrupted, without maintenance in between. */
const packThenRestore: Story = {
  ...pack,
  title: "packing, then restore",
  heal: expectRestorable,
};

const unpack: Story = {
  title: "the hook that unpacks",
  alwaysSucceeds: true,
  async prepare(world) {
    await coldSession(world);
    await world.run(["maintain"]);
    expect(copies(world)).toEqual([`${id}.jsonl.zst`]);
    world.grow(id, 100_000, "third");
    return { words: ["session-snapshot", "hook"], stdin: world.payload(id) };
  },
  outcome: (world) => (world.files.state(id).count === 2 ? "old" : "new"),
  async heal(world) {
    await world.hook(id);
    const state = world.files.state(id);
    expect([state.generation, state.packed]).toEqual([1, undefined]);
    expect(world.files.mirror(id).equals(world.read(id))).toEqual(true);
    // The packed one, when it was left behind, counts for nothing any more.
    await world.run(["maintain"]);
    expect(copies(world)).toEqual([`${id}.jsonl`]);
    await expectRestorable(world);
  },
};

export const packingStories: readonly Story[] = [pack, packThenRestore, unpack];

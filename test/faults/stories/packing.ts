// Packing and unpacking: the copy that the state names is complete, and every mark can be restored.
import { expect } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ageSnapshot } from "../../support/worlds/age-snapshot.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const id = "cold-session";
/** Large enough for two frames, so that a kill can occur between them. */
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

/** The session's existing copies, plain or packed. */
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
  // A background command: it records its failures for `status`.
  alwaysSucceeds: true,
  async prepare(world) {
    await coldSession(world);
    return { words: ["session-snapshot", "maintain"] };
  },
  outcome(world) {
    const isPacked = world.files.state(id).packed !== undefined;
    // The copy that the state names must exist.
    expect(copies(world)).toContain(isPacked ? `${id}.jsonl.zst` : `${id}.jsonl`);
    return isPacked ? "new" : "old";
  },
  async recover(world) {
    expect((await world.run(["maintain"])).exitCode).toBe(0);
    expect(copies(world)).toEqual([`${id}.jsonl.zst`]);
    await expectRestorable(world);
  },
};

/** Restores right after the interruption, without maintenance in between. */
const packThenRestore: Story = {
  ...pack,
  title: "packing, then restore",
  recover: expectRestorable,
};

const unpack: Story = {
  title: "hook that unpacks",
  alwaysSucceeds: true,
  async prepare(world) {
    await coldSession(world);
    await world.run(["maintain"]);
    expect(copies(world)).toEqual([`${id}.jsonl.zst`]);
    world.grow(id, 100_000, "third");
    return { words: ["session-snapshot", "hook"], stdin: world.payload(id) };
  },
  outcome: (world) => (world.files.state(id).count === 2 ? "old" : "new"),
  async recover(world) {
    await world.hook(id);
    const state = world.files.state(id);
    expect([state.generation, state.packed]).toEqual([1, undefined]);
    expect(world.files.mirror(id).equals(world.read(id))).toEqual(true);
    // A leftover packed file is ignored.
    await world.run(["maintain"]);
    expect(copies(world)).toEqual([`${id}.jsonl`]);
    await expectRestorable(world);
  },
};

export const packingStories: readonly Story[] = [pack, packThenRestore, unpack];

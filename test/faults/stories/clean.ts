// Removal: a session is complete or fully removed, an interrupted removal is finished, and other sessions stay unchanged.
import { expect } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ageSnapshot } from "../../support/worlds/age-snapshot.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const id = "removed-session";
const other = "other-session";

let transcript: Buffer = Buffer.alloc(0);

async function usedSession(world: FaultWorld): Promise<void> {
  world.grow(id, 100_000, "first");
  await world.hook(id);
  world.grow(id, 100_000, "second");
  await world.hook(id);
  transcript = world.read(id);
  await world.run(["restore", id, "--to", "1"]);
  await world.run(["undo", id]);
  ageSnapshot(world.files.root, id, 20);
  world.grow(other, 10_000);
  await world.hook(other);
}

/** All files of the session except locks and temporary files. */
function filesOf(world: FaultWorld): string[] {
  const names = readdirSync(world.files.root, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.includes(id) && !name.startsWith("locks/") && !/\/\.[^/]*$/.test(name)).sort();
}

function outcome(world: FaultWorld): "old" | "new" {
  expect(world.files.mirror(other).equals(world.read(other))).toBe(true);
  return existsSync(world.files.statePath(id)) ? "old" : "new";
}

async function expectWhole(world: FaultWorld): Promise<void> {
  rmSync(world.transcript(id));
  const marks = world.files.state(id).marks.length;
  expect(marks).toBeGreaterThan(0);
  const restored = await world.run(["restore", id]);
  expect([restored.exitCode, restored.stderr]).toEqual([0, restored.stderr]);
  expect(world.read(id).equals(transcript)).toBe(true);
}

let maintains = false;

async function expectGone(world: FaultWorld): Promise<void> {
  expect((await world.run(["restore", id])).exitCode).toBe(4);
  // Alternates, because both maintenance and the next snapshot of the session must finish the removal.
  maintains = !maintains;
  if (maintains) await world.run(["maintain"]);
  world.grow(id, 100, "again");
  await world.hook(id);
  const state = world.files.state(id);
  expect([state.generation, state.count, state.past]).toEqual([1, 1, []]);
  expect(filesOf(world)).toEqual([`snapshots/${id}.jsonl`, `snapshots/${id}.state.json`]);
}

const clean: Story = {
  title: "clean",
  async prepare(world) {
    await usedSession(world);
    return { words: ["session-snapshot", "clean", "--session", id, "--yes"] };
  },
  outcome,
  recover: (world) => (outcome(world) === "old" ? expectWhole(world) : expectGone(world)),
};

/** Two generations of one session; the cap leaves room for the current one only. */
const cap: Story = {
  title: "maintenance above the disk cap",
  alwaysSucceeds: true,
  async prepare(world) {
    for (const label of ["first", "other"]) {
      world.overwrite(id, "");
      world.grow(id, label === "first" ? 300_000 : 250_000, label);
      await world.hook(id);
    }
    transcript = world.read(id);
    ageSnapshot(world.files.root, id, 40);
    world.grow(other, 10_000);
    await world.hook(other);
    const settings = JSON.stringify({ maxDisk: 400_000, coldAfterDays: 1_000 });
    writeFileSync(join(world.files.root, "config.json"), settings, { mode: 0o600 });
    return { words: ["session-snapshot", "maintain"] };
  },
  outcome(world) {
    expect(world.files.mirror(other).equals(world.read(other))).toBe(true);
    const first = existsSync(join(world.files.root, `snapshots/generations/${id}.1.state.json`));
    return first ? "old" : "new";
  },
  async recover(world) {
    expect((await world.run(["maintain"])).exitCode).toBe(0);
    expect(filesOf(world).filter((name) => name.includes("generations"))).toEqual([]);
    expect(world.files.state(id).past).toEqual([]);
    await expectWhole(world);
  },
};

export const cleanStories: readonly Story[] = [clean, cap];

// Restore and undo: the transcript is the one or the other, whole, and neither is ever the only copy.
import { expect } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const id = "restored-session";

/** What a kill may leave beside Claude's transcripts is hidden from Claude, and only that. */
function expectNothingBeside(world: FaultWorld): void {
  const beside = readdirSync(world.project).filter((name) => !/^\..*\.tmp-\d+-\d+$/.test(name));
  expect(beside.filter((name) => name !== `${id}.jsonl`)).toEqual([]);
}

let before: Buffer = Buffer.alloc(0);
let marked = 0;

async function twoMarks(world: FaultWorld): Promise<void> {
  world.grow(id, 50_000);
  await world.hook(id);
  marked = world.read(id).length;
  world.grow(id, 50_000, "more");
  await world.hook(id);
  world.grow(id, 500, "not yet copied");
  before = world.read(id);
}

/** Which of the two transcripts is there. */
function present(world: FaultWorld): "before" | "marked" {
  expectNothingBeside(world);
  const now = world.read(id);
  if (now.equals(before)) return "before";
  expect(now.equals(before.subarray(0, marked))).toBe(true);
  return "marked";
}

const restore: Story = {
  title: "restore",
  async prepare(world) {
    await twoMarks(world);
    return { words: ["session-snapshot", "restore", id, "--to", "1"] };
  },
  outcome: (world) => (present(world) === "before" ? "old" : "new"),
  async heal(world) {
    const again = await world.run(["restore", id, "--to", "1"]);
    expect([again.exitCode, again.stderr]).toEqual([0, again.stderr]);
    expect(present(world)).toBe("marked");
    expect((await world.run(["verify", id])).stderr).not.toContain("cannot");
    const undone = await world.run(["undo", id]);
    expect([undone.exitCode, undone.stderr]).toEqual([0, undone.stderr]);
    expect(present(world)).toBe("before");
  },
};

const gone: Story = {
  title: "restore of a transcript that is gone",
  async prepare(world) {
    await twoMarks(world);
    await world.hook(id);
    rmSync(world.transcript(id));
    return { words: ["session-snapshot", "restore", id] };
  },
  outcome(world) {
    if (!existsSync(world.transcript(id))) return "old";
    expect(world.read(id).equals(before)).toBe(true);
    return "new";
  },
  async heal(world) {
    const again = await world.run(["restore", id]);
    expect([again.exitCode, again.stderr]).toEqual([0, again.stderr]);
    expect(world.read(id).equals(before)).toBe(true);
  },
};

const undo: Story = {
  title: "undo",
  async prepare(world) {
    await twoMarks(world);
    await world.run(["restore", id, "--to", "1"]);
    expect(present(world)).toBe("marked");
    return { words: ["session-snapshot", "undo", id] };
  },
  outcome: (world) => (present(world) === "before" ? "new" : "old"),
  async heal(world) {
    const isDone = present(world) === "before";
    const again = await world.run(["undo", id]);
    // Either there is still something to undo, or it was done and only that is said.
    expect([again.exitCode, again.stderr]).toEqual([isDone && again.exitCode === 4 ? 4 : 0, again.stderr]);
    expect(present(world)).toBe("before");
    // Whatever happened, the restored one can be had again.
    expect((await world.run(["restore", id, "--to", "1"])).exitCode).toBe(0);
    expect(present(world)).toBe("marked");
  },
};

export const restoreStories: readonly Story[] = [restore, gone, undo];

// The hook: everything its state acknowledges can be restored at any time.
import { expect } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileHash } from "../../../src/store/packing/file-hash.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const id = "killed-session";

/** Every listed mark can be restored: its bytes are present and unchanged. */
function expectConsistent(world: FaultWorld): void {
  const { marks, size, past } = world.files.state(id);
  const moved = join(world.files.root, `snapshots/generations/${id}.${past.length + 1}.jsonl`);
  const mirror = fileHash(moved, 0) === undefined ? world.files.mirrorPath(id) : moved;
  for (const mark of marks) expect(fileHash(mirror, mark.size)).toEqual(mark.hash);
  expect(marks.at(-1)?.size ?? 0).toEqual(size);
}

const hookOf = (world: FaultWorld): { words: string[]; stdin: string } => ({
  words: ["session-snapshot", "hook"],
  stdin: world.payload(id),
});

const append: Story = {
  title: "hook that appends",
  alwaysSucceeds: true,
  async prepare(world) {
    world.grow(id, 150_000);
    await world.hook(id);
    world.grow(id, 100_000, "more");
    return hookOf(world);
  },
  outcome(world) {
    expectConsistent(world);
    const { count } = world.files.state(id);
    expect([1, 2]).toContain(count);
    return count === 1 ? "old" : "new";
  },
  async recover(world) {
    // Must recover even when only the last message is new.
    await world.hook(id, "Stop", { last_assistant_message: "Done." });
    expect(world.files.state(id).size).toEqual(world.read(id).length);
    expect(world.files.latest().sessionId).toBe(id);
    expect(world.files.latest().snapshotSize).toBe(world.read(id).length);
    world.grow(id, 100, "last");
    await world.hook(id);
    expect(world.files.state(id).generation).toEqual(1);
    expect(world.files.mirror(id).equals(world.read(id))).toBe(true);
  },
};

const first: Story = {
  title: "first snapshot",
  alwaysSucceeds: true,
  async prepare(world) {
    world.grow(id, 600_000);
    return hookOf(world);
  },
  outcome(world) {
    if (!existsSync(world.files.statePath(id))) return "old";
    expectConsistent(world);
    return "new";
  },
  async recover(world) {
    await world.hook(id);
    const { generation, count, past, marks } = world.files.state(id);
    expect({ generation, count, past }).toEqual({ generation: 1, count: 1, past: [] });
    expect(marks[0]?.size).toEqual(world.read(id).length);
    expect(world.files.mirror(id).equals(world.read(id))).toBe(true);
  },
};

let before: Buffer = Buffer.alloc(0);

const rewritten: Story = {
  title: "hook that finds a rewritten transcript",
  alwaysSucceeds: true,
  async prepare(world) {
    world.grow(id, 150_000);
    await world.hook(id);
    before = world.read(id);
    world.overwrite(id, "");
    world.grow(id, 50_000, "other");
    return hookOf(world);
  },
  outcome(world) {
    expectConsistent(world);
    return world.files.state(id).count === 1 ? "old" : "new";
  },
  async recover(world) {
    world.grow(id, 100, "last");
    await world.hook(id);
    const state = world.files.state(id);
    expect([state.generation, state.past.length]).toEqual([2, 1]);
    expect(world.files.pastMirror(id, 1).equals(before)).toBe(true);
    expect(world.files.mirror(id).equals(world.read(id))).toBe(true);
  },
};

const sideFile = (world: FaultWorld): string => join(world.project, id, "subagents/agent-1.jsonl");
const sideCopy = (world: FaultWorld): string =>
  join(world.files.root, "snapshots/side-files", id, "subagents/agent-1.jsonl");

const sideFiles: Story = {
  title: "hook that copies a subagent's transcript",
  alwaysSucceeds: true,
  async prepare(world) {
    world.grow(id, 10_000);
    mkdirSync(join(world.project, id, "subagents"), { recursive: true });
    writeFileSync(sideFile(world), "first line\n");
    await world.hook(id);
    writeFileSync(sideFile(world), "first line\nsecond line\n");
    writeFileSync(join(world.project, id, "subagents/agent-2.jsonl"), "another\n");
    return hookOf(world);
  },
  outcome(world) {
    const kept = readFileSync(sideCopy(world), "utf8");
    // Bytes after the first line were never acknowledged: the next hook writes them again.
    expect(kept.startsWith("first line\n")).toBe(true);
    return existsSync(sideCopy(world).replace("agent-1", "agent-2")) ? "new" : "old";
  },
  async recover(world) {
    await world.hook(id);
    expect(readFileSync(sideCopy(world), "utf8")).toBe("first line\nsecond line\n");
    expect(readFileSync(sideCopy(world).replace("agent-1", "agent-2"), "utf8")).toBe("another\n");
  },
};

export const hookStories: readonly Story[] = [append, first, rewritten, sideFiles];

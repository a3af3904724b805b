// Restore and undo: the transcript is completely old or new, and both versions stay recoverable.
import { expect } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const id = "restored-session";

/** A kill may leave only hidden files beside Claude's transcripts. */
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

/** Which of the two versions the transcript has. */
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
  async recover(world) {
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
  title: "restore of a missing transcript",
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
  async recover(world) {
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
  async recover(world) {
    const isDone = present(world) === "before";
    const again = await world.run(["undo", id]);
    // Exit code 4 means that the interrupted undo had already finished.
    expect([again.exitCode, again.stderr]).toEqual([isDone && again.exitCode === 4 ? 4 : 0, again.stderr]);
    expect(present(world)).toBe("before");
    // The restored version is still available.
    expect((await world.run(["restore", id, "--to", "1"])).exitCode).toBe(0);
    expect(present(world)).toBe("marked");
  },
};

const record = (uuid: string, type: string, content: unknown): string =>
  `${JSON.stringify({ uuid, type, sessionId: id, message: { id: uuid, content, usage: { input_tokens: 9 } } })}\n`;
const firstTurn = record("a", "user", "one") + record("b", "assistant", [{ type: "text", text: "first" }]);
const secondTurn = record("c", "user", "two") + record("d", "assistant", [{ type: "text", text: "second" }]);

const turn: Story = {
  title: "restore to a turn, with a note for Claude",
  async prepare(world) {
    world.overwrite(id, firstTurn + secondTurn);
    await world.hook(id);
    return { words: ["session-snapshot", "restore", id, "--to", "t1"] };
  },
  outcome(world) {
    expectNothingBeside(world);
    const now = world.read(id).toString();
    if (now === firstTurn + secondTurn) return "old";
    expect(now).toBe(firstTurn);
    return "new";
  },
  async recover(world) {
    const again = await world.run(["restore", id, "--to", "t1"]);
    expect([again.exitCode, again.stderr]).toEqual([0, again.stderr]);
    expect(world.read(id).toString()).toBe(firstTurn);
    const told = await world.run(["hook"], world.payload(id, "SessionStart", { source: "resume" }));
    expect(told.stdout).toContain("> two");
    expect((await world.run(["undo", id])).exitCode).toBe(0);
    expect(world.read(id).toString()).toBe(firstTurn + secondTurn);
  },
};

export const restoreStories: readonly Story[] = [restore, gone, undo, turn];

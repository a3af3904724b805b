// Repair: the damaged file or the mended one, and no whole record is lost.
import { expect } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { storedTranscript } from "../../support/stored-transcript.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const id = "5f0c1f6e-0000-4000-8000-000000000001";
const whole = readFileSync(storedTranscript("2.1.325"));

/** A torn line in the middle that the snapshot has, NULs, and a torn tail that nobody has. */
function damaged(): Buffer {
  const lines = whole.toString().split("\n");
  const torn = lines.with(22, lines[22]?.slice(0, 80) ?? "").with(30, `\0\0${lines[30]}`);
  return Buffer.from(`${torn.join("\n")}{"uuid":"torn`);
}

/** What a kill may leave beside Claude's transcripts is hidden from Claude, and only that. */
function expectNothingBeside(world: FaultWorld): void {
  const beside = readdirSync(world.project).filter((name) => !/^\..*\.tmp-\d+-\d+$/.test(name));
  expect(beside.filter((name) => name !== `${id}.jsonl`)).toEqual([]);
}

const withSnapshot: Story = {
  title: "repair with a snapshot",
  async prepare(world) {
    writeFileSync(world.transcript(id), whole);
    await world.hook(id);
    writeFileSync(world.transcript(id), damaged());
    return { words: ["session-snapshot", "repair", id] };
  },
  outcome(world) {
    expectNothingBeside(world);
    const now = world.read(id);
    if (now.equals(damaged())) return "old";
    expect(now.equals(whole)).toBe(true);
    return "new";
  },
  async heal(world) {
    expect((await world.run(["repair", id])).exitCode).toBe(0);
    expect(world.read(id).equals(whole)).toBe(true);
    expect((await world.run(["verify", id])).exitCode).toBe(0);
    expect((await world.run(["undo", id])).exitCode).toBe(0);
    expect(world.read(id).equals(damaged())).toBe(true);
  },
};

const withoutSnapshot: Story = {
  title: "repair without a snapshot",
  async prepare(world) {
    writeFileSync(world.transcript(id), damaged());
    // What it cannot mend, it says: one record is lost with its line.
    return { words: ["session-snapshot", "repair", id] };
  },
  async outcome(world) {
    expectNothingBeside(world);
    if (world.read(id).equals(damaged())) return "old";
    expect((await world.run(["verify", id])).exitCode).toBe(0);
    return "new";
  },
  async heal(world) {
    expect((await world.run(["repair", id])).exitCode).toBe(0);
    const lines = new Set(world.read(id).toString().split("\n"));
    const lost = whole
      .toString()
      .split("\n")
      .filter((line) => !lines.has(line));
    // The torn one, and the one that hung on it.
    expect(lost.length).toEqual(2);
  },
};

export const repairStories: readonly Story[] = [withSnapshot, withoutSnapshot];

// Repair: leaves the damaged or the repaired file, and loses no intact record.
import { expect } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { storedTranscript } from "../../support/transcripts/stored-transcript.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const id = "5f0c1f6e-0000-4000-8000-000000000001";
const whole = readFileSync(storedTranscript("2.1.326"));

/** A torn line that the snapshot still has, NULs, and a torn tail that exists nowhere else. */
function damaged(): Buffer {
  const lines = whole.toString().split("\n");
  const torn = lines.with(22, lines[22]?.slice(0, 80) ?? "").with(30, `\0\0${lines[30]}`);
  return Buffer.from(`${torn.join("\n")}{"uuid":"torn`);
}

/** A kill may leave only hidden files beside Claude's transcripts. */
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
  async recover(world) {
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
    return { words: ["session-snapshot", "repair", id] };
  },
  async outcome(world) {
    expectNothingBeside(world);
    if (world.read(id).equals(damaged())) return "old";
    expect((await world.run(["verify", id])).exitCode).toBe(0);
    return "new";
  },
  async recover(world) {
    expect((await world.run(["repair", id])).exitCode).toBe(0);
    const lines = new Set(world.read(id).toString().split("\n"));
    const lost = whole
      .toString()
      .split("\n")
      .filter((line) => !lines.has(line));
    // The torn record, and its child, whose parent link changed.
    expect(lost.length).toEqual(2);
  },
};

const agent = '{"uuid":"a","type":"user","isSidechain":true}\n{"uuid":"b","type":"assistant","isSidechain":true}\n';
const halfAgent = `${agent.slice(0, 60)}\0\0\0`;
const agentPath = (world: FaultWorld): string => join(world.project, id, "subagents/agent-1.jsonl");

const sideFile: Story = {
  title: "repair that puts back a subagent's transcript",
  async prepare(world) {
    writeFileSync(world.transcript(id), whole);
    mkdirSync(dirname(agentPath(world)), { recursive: true });
    writeFileSync(agentPath(world), agent);
    await world.hook(id);
    writeFileSync(agentPath(world), halfAgent);
    return { words: ["session-snapshot", "repair", id] };
  },
  outcome(world) {
    const now = readFileSync(agentPath(world), "utf8");
    expect([agent, halfAgent]).toContain(now);
    return now === agent ? "new" : "old";
  },
  async recover(world) {
    await world.hook(id);
    expect((await world.run(["repair", id])).exitCode).toBe(0);
    expect(readFileSync(agentPath(world), "utf8")).toBe(agent);
    expect((await world.run(["verify", id])).exitCode).toBe(0);
    // What was replaced is still there.
    const copies = join(world.files.root, "snapshots/side-files", id, "subagents");
    const texts = readdirSync(copies).map((name) => readFileSync(join(copies, name), "utf8"));
    expect(texts).toContain(agent);
    expect(texts).toContain(halfAgent);
  },
};

export const repairStories: readonly Story[] = [withSnapshot, withoutSnapshot, sideFile];

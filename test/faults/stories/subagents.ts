// The record of dead subagents: a failure to write it never disturbs Claude, and the next resume tells what it had found.
import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSubagentNotes } from "../../../src/store/session-notes/subagent-notes.ts";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const id = "session-of-a-dead-subagent";
const agent = "a1b2c3d";

const notes = (world: FaultWorld) => readSubagentNotes(new SnapshotPaths(world.files.root), id);
const resume = (world: FaultWorld): string => world.payload(id, "SessionStart", { source: "resume" });

const found: Story = {
  title: "hook that records a dead subagent",
  alwaysSucceeds: true,
  prints: /^(\{[^\n]*\}\n?)?$/,
  async prepare(world) {
    world.grow(id, 1_000);
    await world.hook(id);
    const directory = join(world.project, id, "subagents");
    mkdirSync(directory, { recursive: true });
    const timestamp = new Date().toISOString();
    const entry = { type: "user", isSidechain: true, agentId: agent, timestamp, message: { content: "Look for it" } };
    writeFileSync(join(directory, `agent-${agent}.jsonl`), `${JSON.stringify(entry)}\n`);
    return { words: ["session-snapshot", "hook"], stdin: resume(world) };
  },
  outcome: (world) => (notes(world).some((note) => note.id === agent) ? "new" : "old"),
  async recover(world) {
    const told = await world.run(["hook"], resume(world));
    expect([told.exitCode, told.stdout]).toEqual([0, expect.stringContaining(`agent ${agent}`)]);
    expect(notes(world)).toMatchObject([{ id: agent, death: "killed", task: "Look for it" }]);
  },
};

export const subagentStories: readonly Story[] = [found];

// The record of finished tool calls: a call that it acknowledges is known at any later time.
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import type { ToolStep } from "../../../src/core/restart/tool-step.ts";
import { readSteps } from "../../../src/store/session-notes/read-steps.ts";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const id = "killed-session";

const pathsOf = (world: FaultWorld): SnapshotPaths => new SnapshotPaths(world.files.root);
const known = (world: FaultWorld): string[] => readSteps(pathsOf(world), id).map((step) => step.id);
const call = (world: FaultWorld, tool_use_id: string): string =>
  world.payload(id, "PostToolUse", {
    tool_use_id,
    tool_name: "Bash",
    tool_input: { command: `echo ${tool_use_id}` },
    tool_response: { stdout: tool_use_id, stderr: "" },
  });
const hookOf = (world: FaultWorld): { words: string[]; stdin: string } => ({
  words: ["session-snapshot", "hook"],
  stdin: call(world, "interrupted"),
});

const first: Story = {
  title: "hook that records the first finished call",
  alwaysSucceeds: true,
  async prepare(world) {
    world.grow(id, 1_000);
    await world.hook(id);
    return hookOf(world);
  },
  outcome: (world) => (known(world).includes("interrupted") ? "new" : "old"),
  async recover(world) {
    await world.hookWith(call(world, "next"));
    expect(known(world)).toContain("next");
  },
};

const more: Story = {
  title: "hook that records another finished call",
  alwaysSucceeds: true,
  async prepare(world) {
    world.grow(id, 1_000);
    await world.hook(id);
    await world.hookWith(call(world, "earlier"));
    world.grow(id, 40_000, "more");
    return hookOf(world);
  },
  outcome(world) {
    expect(known(world)).toContain("earlier");
    return known(world).includes("interrupted") ? "new" : "old";
  },
  async recover(world) {
    await world.hookWith(call(world, "next"));
    expect(known(world)).toEqual(expect.arrayContaining(["earlier", "next"]));
  },
};

const full: Story = {
  title: "hook that records a finished call in a full file",
  alwaysSucceeds: true,
  async prepare(world) {
    world.grow(id, 1_000);
    await world.hook(id);
    await world.hookWith(call(world, "earlier"));
    const step: ToolStep = { id: "", tool: "Bash", about: "x".repeat(200), state: "completed", time: 1, output: "" };
    const lines = Array.from({ length: 230 }, (_, n) => `\n${JSON.stringify({ ...step, id: `call-${n}` })}\n`);
    writeFileSync(pathsOf(world).steps(id), lines.join(""), { mode: 0o600 });
    world.grow(id, 40_000, "more");
    return hookOf(world);
  },
  outcome(world) {
    expect(known(world)).toEqual(expect.arrayContaining(["call-0", "call-229"]));
    return known(world).includes("interrupted") ? "new" : "old";
  },
  async recover(world) {
    await world.hookWith(call(world, "next"));
    expect(known(world)).toEqual(expect.arrayContaining(["call-229", "next"]));
  },
};

export const stepStories: readonly Story[] = [first, more, full];

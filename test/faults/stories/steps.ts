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

interface Recording {
  /** Writes what is on disk before the hook that is interrupted. */
  before(world: FaultWorld): Promise<void>;
  /** Recorded before, and known whatever happens to the hook. */
  stays: readonly string[];
  /** Of those, the ones that stay known after the next hook. */
  staysLater: readonly string[];
}

const recording = (title: string, { before, stays, staysLater }: Recording): Story => ({
  title,
  alwaysSucceeds: true,
  async prepare(world) {
    world.grow(id, 1_000);
    await world.hook(id);
    await before(world);
    return { words: ["session-snapshot", "hook"], stdin: call(world, "interrupted") };
  },
  outcome(world) {
    expect(known(world)).toEqual(expect.arrayContaining([...stays]));
    return known(world).includes("interrupted") ? "new" : "old";
  },
  async recover(world) {
    await world.hookWith(call(world, "next"));
    expect(known(world)).toEqual(expect.arrayContaining([...staysLater, "next"]));
  },
});

const recordEarlier = (world: FaultWorld): Promise<void> => world.hookWith(call(world, "earlier"));

function fillRecord(world: FaultWorld): void {
  const step: ToolStep = { id: "", tool: "Bash", about: "x".repeat(200), state: "completed", time: 1, output: "" };
  const lines = Array.from({ length: 230 }, (_, n) => `\n${JSON.stringify({ ...step, id: `call-${n}` })}\n`);
  writeFileSync(pathsOf(world).steps(id), lines.join(""), { mode: 0o600 });
}

export const stepStories: readonly Story[] = [
  recording("hook that records the first finished call", {
    before: async () => {},
    stays: [],
    staysLater: [],
  }),
  recording("hook that records another finished call", {
    async before(world) {
      await recordEarlier(world);
      world.grow(id, 40_000, "more");
    },
    stays: ["earlier"],
    staysLater: ["earlier"],
  }),
  recording("hook that records a finished call in a full file", {
    async before(world) {
      await recordEarlier(world);
      fillRecord(world);
      world.grow(id, 40_000, "more");
    },
    stays: ["call-0", "call-229"],
    staysLater: ["call-229"],
  }),
];

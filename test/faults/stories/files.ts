// File marks: every mark that the record names can be restored, and a restore of files is done, undone, or known to be half done.
import { expect } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultWorld } from "../fault-world.ts";
import type { Command, Story } from "../story.ts";
import {
  contents,
  enter,
  expectComplete,
  expectRestorable,
  git,
  hookOf,
  id,
  markBoth,
  recordOf,
  runFiles,
  type State,
  states,
  treeOf,
  waitForMarks,
} from "./file-marks.ts";

/** More files than are kept beside git's index: the index is updated. */
const manyFiles = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`many/${n}`, "second"]));

const markOf = (title: string, of: readonly [State, State]): Story => ({
  title,
  alwaysSucceeds: true,
  isUneven: true,
  async prepare(world) {
    waitForMarks(world);
    enter(world.directory, of[0]);
    await world.hookWith(hookOf(world).stdin ?? "");
    enter(world.directory, of[1]);
    return hookOf(world);
  },
  outcome(world) {
    expectComplete(world);
    return recordOf(world).count === 1 ? "old" : "new";
  },
  async recover(world) {
    await world.hookWith(hookOf(world).stdin ?? "");
    expect(recordOf(world).count).toBe(2);
    await expectRestorable(world, of);
  },
});

/** A command that turns the second state into the first one. */
const restoreOf = (
  title: string,
  of: readonly [State, State],
  prepare: (world: FaultWorld) => Promise<Command>,
): Story => ({
  title,
  isUneven: true,
  prepare,
  outcome(world) {
    expectComplete(world);
    const present = contents(world.directory);
    if (Bun.deepEquals(present, of[0])) return "new";
    if (Bun.deepEquals(present, of[1])) return "old";
    // Each file is whole, and the record says that the restore is not done.
    expect(recordOf(world).restores.at(-1)?.state).toBe("started");
    for (const [path, content] of Object.entries(present)) expect([of[0][path], of[1][path]]).toContain(content);
    return "old";
  },
  async recover(world) {
    const isOpen = recordOf(world).restores.some(({ state }) => state === "started");
    if (isOpen) await runFiles(world, ["undo", "--files"]);
    await expectRestorable(world, of);
  },
});

const restore = restoreOf("restore of files", states, async (world) => {
  await markBoth(world, states);
  return { words: ["session-snapshot", "restore", "--files", "--to", "f1"] };
});

/** The patterns of the first state are read from its mark, in a directory for temporary files. */
const patternStates: readonly [State, State] = [
  { ".gitignore": "*.log\n", kept: "first", "a.log": "ignored" },
  { kept: "second", "a.log": "ignored" },
];

const restorePatterns: Story = {
  // A kill leaves the directory for temporary files.
  leavesTemporaries: true,
  ...restoreOf("restore of files with other patterns", patternStates, async (world) => {
    await markBoth(world, patternStates);
    world.env["TMPDIR"] = join(world.home, "tmp");
    mkdirSync(world.env["TMPDIR"], { mode: 0o700 });
    return { words: ["session-snapshot", "restore", "--files", "--to", "f1"] };
  }),
};

const undo = restoreOf("undo of files", states, async (world) => {
  await markBoth(world, states);
  await runFiles(world, ["restore", "--files", "--to", "f1"]);
  await runFiles(world, ["restore", "--files", "--to", "f2"]);
  return { words: ["session-snapshot", "undo", "--files"] };
});

const packing: Story = {
  title: "packing of file marks",
  // A failure is recorded for `status`.
  alwaysSucceeds: true,
  isUneven: true,
  async prepare(world) {
    await markBoth(world, states);
    return { words: ["session-snapshot", "maintain"] };
  },
  outcome(world) {
    expectComplete(world);
    const objects = readdirSync(join(treeOf(world), "objects"));
    return objects.some((name) => /^[0-9a-f]{2}$/.test(name)) ? "old" : "new";
  },
  recover: (world) => expectRestorable(world, states),
};

/** The worker that takes a mark also records the first commits of the project. */
const origin: Story = {
  title: "worker that records the history of a project",
  alwaysSucceeds: true,
  isUneven: true,
  async prepare(world) {
    waitForMarks(world);
    enter(world.directory, states[0]);
    git(world, world.directory, ["init", "-q"], ["add", "."], ["commit", "-qm", "Start"]);
    await world.hookWith(hookOf(world).stdin ?? "");
    // As a version before this record left it.
    const { origin: _, ...record } = recordOf(world);
    writeFileSync(join(treeOf(world), "marks.json"), JSON.stringify(record), { mode: 0o600 });
    const request = { cwd: world.directory, reason: "Stop", sessionId: id, mark: null, before: null, lateAfter: 0 };
    return { words: ["session-snapshot", "mark-files", JSON.stringify(request)] };
  },
  outcome(world) {
    expectComplete(world);
    return recordOf(world).origin === undefined ? "old" : "new";
  },
  async recover(world) {
    const request = { cwd: world.directory, reason: "Stop", sessionId: id, mark: null, before: null, lateAfter: 0 };
    const { exitCode } = await world.run(["mark-files", JSON.stringify(request)]);
    expect([exitCode, recordOf(world).origin?.roots.length]).toEqual([0, 1]);
    expectComplete(world);
  },
};

export const fileStories: readonly Story[] = [
  markOf("file mark", states),
  markOf("file mark of many files", [states[0], { ...states[1], ...manyFiles }]),
  restore,
  restorePatterns,
  undo,
  packing,
  origin,
];

// File marks of a project that moved, of one whose objects are linked, of two projects at once, and under the disk cap.
import { expect } from "bun:test";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { directoryIdentity } from "../../../src/io/files/read-file.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";
import {
  contents,
  enter,
  expectComplete,
  expectRestorable,
  git,
  hookOf,
  id,
  markBoth,
  readMarks,
  recordOf,
  runFiles,
  type State,
  states,
  treeOf,
  treesOf,
  waitForMarks,
} from "./file-marks.ts";

/** A copied project, or one on a disk that was mounted again, is another directory: the record gets its identity. */
function recognize(world: FaultWorld): void {
  for (const tree of treesOf(world)) {
    const record = { ...readMarks(tree), identity: directoryIdentity(world.directory) };
    writeFileSync(join(tree, "marks.json"), JSON.stringify(record), { mode: 0o600 });
  }
}

const adopt: Story = {
  title: "file mark of a moved project",
  alwaysSucceeds: true,
  isUneven: true,
  async prepare(world) {
    waitForMarks(world);
    const before = join(world.home, "before");
    enter(before, states[0]);
    await world.hookWith(hookOf(world, before).stdin ?? "");
    rmSync(world.directory, { recursive: true });
    renameSync(before, world.directory);
    enter(world.directory, states[1]);
    world.onFilled = () => recognize(world);
    return hookOf(world);
  },
  outcome(world) {
    expectComplete(world);
    expect(treesOf(world)).toHaveLength(1);
    return recordOf(world).count === 1 ? "old" : "new";
  },
  async recover(world) {
    recognize(world);
    await world.hookWith(hookOf(world).stdin ?? "");
    expect(treesOf(world)).toHaveLength(1);
    expect(recordOf(world)).toMatchObject({ workspace: world.directory, count: 2 });
    await expectRestorable(world, states);
  },
};

/** Enough files that the project's own objects are linked: some in a pack, the changed one loose. */
const bigState = (changed: string): State => ({
  ...Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`many/${n}`, `${n}`])),
  changed,
});

const links: Story = {
  title: "first file mark of a big repository",
  alwaysSucceeds: true,
  isUneven: true,
  async prepare(world) {
    waitForMarks(world);
    enter(world.directory, bigState("first"));
    // Linked objects have the mode that the project gave them.
    git(world, world.directory, ["init", "-q"], ["config", "core.sharedRepository", "0600"]);
    git(world, world.directory, ["add", "."], ["commit", "-qm", "Packed"], ["gc", "-q"]);
    enter(world.directory, bigState("second"));
    git(world, world.directory, ["commit", "-qam", "Loose"]);
    return hookOf(world);
  },
  outcome(world) {
    expectComplete(world);
    const [tree] = treesOf(world);
    return tree !== undefined && Bun.file(join(tree, "marks.json")).size > 0 ? "new" : "old";
  },
  async recover(world) {
    await world.hookWith(hookOf(world).stdin ?? "");
    expect(recordOf(world).count).toBe(1);
    // The marks do not need the project's own objects.
    rmSync(join(world.directory, ".git"), { recursive: true });
    enter(world.directory, {});
    expectComplete(world);
    await expectRestorable(world, [bigState("second")]);
  },
};

/** A Bash command that names another project with marks: both are saved before it runs. */
const second: Story = {
  title: "file mark of another project",
  alwaysSucceeds: true,
  isUneven: true,
  async prepare(world) {
    waitForMarks(world);
    for (const directory of [world.directory, otherOf(world)]) {
      enter(directory, states[0]);
      await world.hookWith(hookOf(world, directory).stdin ?? "");
      enter(directory, states[1]);
    }
    return { words: ["session-snapshot", "hook"], stdin: removalOf(world) };
  },
  outcome(world) {
    expectComplete(world);
    const counts = treesOf(world).map((tree) => readMarks(tree).count);
    expect(counts).toHaveLength(2);
    return counts.every((count) => count === 2) ? "new" : "old";
  },
  async recover(world) {
    await world.hookWith(removalOf(world));
    for (const directory of [world.directory, otherOf(world)]) await expectRestorable(world, states, directory);
  },
};

const otherOf = (world: FaultWorld): string => join(world.home, "other");

const removalOf = (world: FaultWorld): string =>
  world.payload(id, "PreToolUse", {
    cwd: world.directory,
    tool_name: "Bash",
    tool_input: { command: "rm -rf ../other" },
  });

const agedMarks = 2;
const dayMs = 86_400_000;
const smallDisk = { SESSION_SNAPSHOT_MAX_DISK: "1000" };

/** The older half of what may go, again and again; only the newest mark stays. */
const thin: Story = {
  title: "disk cap that thins file marks",
  // A failure is recorded for `status`.
  alwaysSucceeds: true,
  isUneven: true,
  async prepare(world) {
    await markBoth(world, states);
    for (let n = 3; n <= agedMarks + 1; n++) {
      enter(world.directory, { changed: `${n}` });
      await world.hookWith(hookOf(world).stdin ?? "");
    }
    const record = recordOf(world);
    const marks = record.marks.map((mark) => (mark.n <= agedMarks ? { ...mark, time: mark.time - 3 * dayMs } : mark));
    writeFileSync(join(treeOf(world), "marks.json"), JSON.stringify({ ...record, marks }), { mode: 0o600 });
    return { words: ["session-snapshot", "maintain"], env: smallDisk };
  },
  outcome(world) {
    expectComplete(world);
    const { count, marks } = recordOf(world);
    expect([count, marks.at(-1)?.n]).toEqual([agedMarks + 1, agedMarks + 1]);
    return marks.length === 1 ? "new" : "old";
  },
  async recover(world) {
    expect((await world.runtime(["session-snapshot", "maintain"], { env: smallDisk })).exitCode).toBe(0);
    expect(recordOf(world).marks.map(({ n }) => n)).toEqual([agedMarks + 1]);
    expectComplete(world);
    enter(world.directory, {});
    await runFiles(world, ["restore", "--files", "--to", `f${agedMarks + 1}`]);
    expect(contents(world.directory)).toEqual({ changed: `${agedMarks + 1}` });
  },
};

export const filePlaceStories: readonly Story[] = [adopt, links, second, thin];

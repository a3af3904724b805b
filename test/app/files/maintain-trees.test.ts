// Maintenance, clean and status of file marks: they count, they are packed, and they go when they must.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileMark } from "../../../src/core/files/file-mark.ts";
import { droppableMarks, planTreeDrops } from "../../../src/core/files/tree-retention.ts";
import { FileWorld } from "../../support/worlds/file-world.ts";

const looseObjects = (world: FileWorld): number =>
  readdirSync(join(world.treeDirectory(), "objects")).filter((name) => /^[0-9a-f]{2}$/.test(name)).length;

async function threeMarks(world: FileWorld): Promise<{ [path: string]: string }[]> {
  const states = [];
  for (const content of ["1", "2", "3"]) {
    world.write("a", content.repeat(1_000));
    world.write(`only-${content}`, content);
    await world.mark();
    states.push(world.state());
  }
  return states;
}

test("packs all marks, and every one can be restored afterwards", async () => {
  using world = new FileWorld();
  const states = await threeMarks(world);
  // A comparison with the present state leaves objects that no mark has.
  world.write("a", "never marked");
  await world.succeed(["diff"]);
  await world.succeed(["maintain"]);
  expect(looseObjects(world)).toBe(0);
  for (const [at, state] of states.entries()) {
    await world.succeed(["restore", "--files", "--to", `f${at + 1}`]);
    expect(world.state()).toEqual(state);
  }
  await world.succeed(["undo"]);
});

test("a pack that the project has dropped is reduced to what the marks need", async () => {
  using world = new FileWorld();
  world.git("init -q");
  for (let n = 0; n < 120; n++) world.write(`f/${n}`, `content ${n}\n`);
  world.write("history", Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))));
  world.git("add . && git -c user.name=a -c user.email=a@b commit -qm one");
  world.shell("rm history");
  world.git("add -A && git -c user.name=a -c user.email=a@b commit -qm two && git repack -adq");
  await world.mark();
  const state = world.state();
  const { disk } = JSON.parse(await world.succeed(["status", "--json"])) as { disk: { files: number } };
  expect(disk.files).toBeLessThan(60_000);
  world.shell("rm -rf .git");
  await world.succeed(["maintain"]);
  const after = JSON.parse(await world.succeed(["status", "--json"])) as { disk: { files: number } };
  expect(after.disk.files).toBeLessThan(60_000);
  world.shell("rm -r f");
  await world.succeed(["restore", "--files", "--to", "f1"]);
  expect(world.state()).toEqual(state);
});

test("clean removes the file marks of this project, and those of one session", async () => {
  using world = new FileWorld();
  world.grow(world.sessionId, 10_000);
  await threeMarks(world);
  const plan = JSON.parse(await world.succeed(["clean", "--dry-run", "--json"])) as { fileMarks: object[] };
  expect(plan.fileMarks).toMatchObject([{ workspace: world.work, marks: [1, 2, 3], all: true }]);
  await world.succeed(["clean", "--yes"]);
  expect(readdirSync(join(world.files.root, "trees"))).toEqual([]);
  expect(world.text("a")).toBe("3".repeat(1_000));
});

test("clean --older-than keeps newer marks", async () => {
  using world = new FileWorld();
  await threeMarks(world);
  const record = JSON.parse(readFileSync(world.recordPath(), "utf8")) as { marks: { time: number }[] };
  for (const mark of record.marks.slice(0, 2)) mark.time -= 40 * 86_400_000;
  writeFileSync(world.recordPath(), JSON.stringify(record));
  await world.succeed(["clean", "--older-than", "30d", "--yes"]);
  expect(world.record()?.marks.map(({ n }) => n)).toEqual([3]);
  world.write("a", "changed");
  await world.succeed(["restore", "--files", "--to", "f3"]);
  expect(world.text("a")).toBe("3".repeat(1_000));
});

test("the disk cap drops cold file marks, but none of the last day", async () => {
  using world = new FileWorld();
  await threeMarks(world);
  world.env["SESSION_SNAPSHOT_MAX_DISK"] = "100";
  await world.succeed(["maintain"]);
  expect(existsSync(world.recordPath())).toBe(true);
  const past = Date.now() / 1_000 - 20 * 86_400;
  utimesSync(world.recordPath(), past, past);
  await world.succeed(["maintain"]);
  expect(existsSync(world.recordPath())).toBe(false);
  const { problems } = JSON.parse(await world.succeed(["status", "--json"])) as { problems: string[] };
  expect(problems.join()).toContain(`dropped the file marks of ${world.work}, `);
});

test("the disk cap takes older marks of a workspace in use, but never its newest and none of the last day", async () => {
  using world = new FileWorld();
  for (let n = 1; n <= 5; n++) {
    world.write("a", Buffer.from(crypto.getRandomValues(new Uint8Array(50_000))));
    await world.mark();
  }
  const newest = world.state();
  const record = JSON.parse(readFileSync(world.recordPath(), "utf8")) as { marks: { time: number }[] };
  for (const mark of record.marks.slice(0, 3)) mark.time -= 3 * 86_400_000;
  writeFileSync(world.recordPath(), JSON.stringify(record));
  world.env["SESSION_SNAPSHOT_MAX_DISK"] = "230000";
  await world.succeed(["maintain"]);
  expect(world.record()?.marks.map(({ n }) => n)).toEqual([3, 4, 5]);
  world.env["SESSION_SNAPSHOT_MAX_DISK"] = "1000";
  await world.succeed(["maintain"]);
  expect(world.record()?.marks.map(({ n }) => n)).toEqual([4, 5]);
  const { problems } = JSON.parse(await world.succeed(["status", "--json"])) as { problems: string[] };
  expect(problems.join()).toContain(`the file marks of ${world.work} up to f3`);
  delete world.env["SESSION_SNAPSHOT_MAX_DISK"];
  world.write("a", "lost");
  await world.succeed(["restore", "--files", "--to", "f5"]);
  expect(world.state()).toEqual(newest);
});

test("marks that an unfinished restore needs stay", () => {
  const mark = (n: number, days: number): FileMark => ({
    n,
    time: -days * 86_400_000,
    reason: "Stop",
    sessionId: null,
    mark: null,
    before: null,
    late: false,
    tree: "",
    left: [],
    modes: {},
    mask: 0,
  });
  const marks = [mark(1, 9), mark(2, 8), mark(3, 7), mark(4, 0.5), mark(5, 0)];
  const restores = [{ time: 0, from: 2, to: 1, paths: [], state: "started" as const }];
  expect(droppableMarks({ marks, restores: [] }, 0)).toEqual([1, 2, 3]);
  expect(droppableMarks({ marks, restores }, 0)).toEqual([3]);
  expect(droppableMarks({ marks: marks.slice(0, 1), restores: [] }, 0)).toEqual([]);
});

test("only copies are dropped last", () => {
  const tree = (name: string, days: number, workspaceExists: boolean) => ({
    directory: name,
    workspace: name,
    bytes: 10,
    lastUse: -days * 86_400_000,
    workspaceExists,
  });
  const trees = [tree("gone", 90, false), tree("old", 60, true), tree("new", 3, true), tree("live", 0, true)];
  const plan = (which: "cold" | "any", maxDisk: number): string[] =>
    planTreeDrops(trees, 40, { maxDisk, coldAfterDays: 7 }, 0, which).map(({ directory }) => directory);
  expect(plan("cold", 0)).toEqual(["old"]);
  expect(plan("any", 25)).toEqual(["old", "new"]);
  expect(plan("any", 0)).toEqual(["old", "new", "gone"]);
});

test("a damaged record is set aside, and its content stays", async () => {
  using world = new FileWorld();
  await threeMarks(world);
  const tree = world.record()?.marks[0]?.tree ?? "";
  writeFileSync(world.recordPath(), "{");
  expect((await world.command(["status"])).exitCode).toBe(0);
  world.write("b", "1");
  expect(await world.mark()).toBe(1);
  await world.succeed(["maintain"]);
  expect(world.shell(`git --git-dir ${world.treeDirectory()} ls-tree --name-only ${tree}`)).toContain("only-1");
});

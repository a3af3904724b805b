import { afterAll, beforeEach, afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { identifyProcess } from "../../../src/io/process/process.ts";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";
import { addRun } from "../../support/runs/scripted-claude.ts";
import { holdByCclaude, holdByHost } from "../../support/worlds/hold-session.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
const runId = "20261118-000000-abcd";

/** Not the parent of the commands, which would count as their own cclaude or host. */
const holder = Bun.spawn(["sleep", "600"]);
afterAll(() => holder.kill());

let world: HookWorld;

beforeEach(async () => {
  world = new HookWorld();
  world.grow(id, 5_000);
  await world.hook(id, "Stop", { cwd: world.home });
  world.grow(id, 5_000, "second");
  await world.hook(id, "Stop", { cwd: world.home });
});

afterEach(() => world[Symbol.dispose]());

function addRunOf(status: Parameters<typeof addRun>[2]): void {
  const places = { home: world.home, projectDir: world.home, configDir: join(world.home, ".claude") };
  addRun(places, runId, status, { sessionId: id });
}

const self = () => identifyProcess(holder.pid) ?? null;

describe.each<[string, () => unknown, string]>([
  [
    "a cclaude around a claude without a list of its processes",
    () => holdByCclaude(new SnapshotPaths(world.files.root), id, holder.pid),
    `a running cclaude (process ${holder.pid})`,
  ],
  ["a host", () => holdByHost(world.home, id, holder.pid, holder.pid), "host hosted"],
  [
    "a run that waits for its limit",
    () => addRunOf({ phase: "waiting-limit", until: Date.now() + 3_600_000, supervisor: self() }),
    `run ${runId}`,
  ],
  [
    "the claude of a run whose supervisor was killed",
    () => addRunOf({ phase: "working", child: self() }),
    `run ${runId}`,
  ],
])("a session held by %s", (_title, hold, name) => {
  test("is not changed by restore, undo and repair, unless forced", async () => {
    expect((await world.run(["restore", id, "--to", "1"])).exitCode).toBe(0);
    const before = world.read(id);
    await hold();
    for (const words of [
      ["restore", id, "--to", "2"],
      ["undo", id],
      ["repair", id],
    ]) {
      const refused = { exitCode: 5, stderr: expect.stringContaining(`${name} holds session ${id}`) };
      expect(await world.run(words)).toMatchObject(refused);
      expect(world.read(id)).toEqual(before);
    }
    expect((await world.run(["undo", id, "--force"])).exitCode).toBe(0);
    expect((await world.run(["restore", id, "--to", "1", "--force"])).exitCode).toBe(0);
  });

  test("is not cleaned, unless it is named and --yes is given", async () => {
    await hold();
    const skipped = { exitCode: 4, stderr: expect.stringContaining("skipped 1 snapshot in use") };
    expect(await world.run(["clean", "--yes"])).toMatchObject(skipped);
    const refused = { exitCode: 5, stderr: expect.stringContaining(`${name} holds session ${id}`) };
    expect(await world.run(["clean", "--session", id, "--dry-run"])).toMatchObject(refused);
    expect((await world.run(["clean", "--session", id, "--yes"])).exitCode).toBe(0);
  });
});

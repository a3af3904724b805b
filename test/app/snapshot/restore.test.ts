import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identifyProcess } from "../../../src/io/process/process.ts";
import { keepBackup } from "../../../src/store/snapshots/backups.ts";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";
import { takeTwoMarks } from "../../support/worlds/two-marks.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

/** The files of a restore that was killed before it recorded its success. */
function diedAfterBackup(world: HookWorld, replacement: string): void {
  const paths = new SnapshotPaths(world.files.root);
  keepBackup(paths, { sessionId: id, kind: "restore", target: world.transcript(id), replacement, now: 1 });
}

describe("restore", () => {
  test("does what the dry run says, even when the transcript has grown since its last mark", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    const marked = world.read(id);
    world.grow(id, 2_000, "not yet kept");
    const grown = world.read(id);
    const planned = JSON.parse((await world.run(["restore", id, "--dry-run", "--json"])).stdout);
    const done = JSON.parse((await world.run(["restore", id, "--json"])).stdout);
    expect(done).toMatchObject({ restored: true, mark: planned.mark, target: planned.target, backup: planned.backup });
    expect(world.read(id)).toEqual(marked);
    expect(readFileSync(planned.backup).equals(grown)).toBe(true);
    expect((await world.run(["undo", id])).exitCode).toBe(0);
    expect(world.read(id)).toEqual(grown);
  });

  test("makes no backup when nothing changes", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    const { stdout } = await world.run(["restore", id, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ restored: false, unchanged: true, backup: null, earlierMark: null });
    expect((await world.run(["restore", id, "--dry-run"])).stdout).toMatch(/\nreplaces +\S+ kB\n/);
    expect((await world.run(["undo", id])).exitCode).toBe(4);
  });

  test("points to the earlier generation when a stub replaced the conversation", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    const whole = world.read(id);
    world.overwrite(id, '{"type":"summary"}\n');
    await world.hook(id);
    const { exitCode, stderr } = await world.run(["restore", id]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`session-snapshot restore ${id} --to 2`);
    expect((await world.run(["restore", id, "--to", "fit"])).exitCode).toBe(0);
    expect(world.read(id)).toEqual(whole);
  });

  test("leaves nothing to undo when it is killed before the replacement", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    const [mark] = world.files.state(id).marks;
    diedAfterBackup(world, mark?.hash ?? "");
    world.grow(id, 1_000, "Claude went on");
    const after = world.read(id);
    expect((await world.run(["undo", id])).exitCode).toBe(4);
    expect(world.read(id)).toEqual(after);
  });

  test("can be undone when it is killed right after the replacement", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    const whole = world.read(id);
    const [mark] = world.files.state(id).marks;
    diedAfterBackup(world, mark?.hash ?? "");
    writeFileSync(world.transcript(id), whole.subarray(0, mark?.size));
    expect((await world.run(["undo", id])).exitCode).toBe(0);
    expect(world.read(id)).toEqual(whole);
  });

  test("saves lines after the last mark as an extra mark, and starts a generation with the restored content", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    world.grow(id, 2_000, "not yet kept");
    const grown = world.read(id);
    await world.run(["restore", id, "--to", "1"]);
    const restored = world.files.state(id);
    expect(restored).toMatchObject({
      generation: 2,
      marks: [{ n: 4, reason: "restore", size: world.read(id).length }],
    });
    expect((await world.run(["restore", id, "--to", "3"])).exitCode).toBe(0);
    expect(world.read(id)).toEqual(grown);
  });

  test("keeps the file mode of the transcript", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    chmodSync(world.transcript(id), 0o640);
    await world.run(["restore", id, "--to", "1"]);
    expect(statSync(world.transcript(id)).mode & 0o777).toBe(0o640);
    await world.run(["undo", id]);
    expect(statSync(world.transcript(id)).mode & 0o777).toBe(0o640);
  });

  test("changes nothing when the copy is damaged", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    const mirror = world.files.mirror(id);
    mirror[2_000] = 0x58;
    writeFileSync(world.files.mirrorPath(id), mirror);
    const whole = world.read(id);
    for (const more of [["--dry-run"], []]) {
      const refused = await world.run(["restore", id, "--to", "1", ...more]);
      expect(refused).toMatchObject({ exitCode: 6, stderr: expect.stringContaining("nothing was changed") });
    }
    expect(world.read(id)).toEqual(whole);
  });

  test("detects a running claude that uses another CLAUDE_CONFIG_DIR", async () => {
    using world = new HookWorld();
    const project = join(world.home, "other/projects/-p");
    mkdirSync(project, { recursive: true });
    const transcript = join(project, `${id}.jsonl`);
    writeFileSync(transcript, '{"a":1}\n');
    await world.hook(id, "Stop", { transcript_path: transcript });
    writeFileSync(transcript, '{"a":1}\n{"a":2}\n');
    await world.hook(id, "Stop", { transcript_path: transcript });
    mkdirSync(join(world.home, "other/sessions"));
    writeFileSync(
      join(world.home, `other/sessions/${process.pid}.json`),
      JSON.stringify({ pid: process.pid, sessionId: id }),
    );
    expect((await world.run(["restore", id, "--to", "1"])).exitCode).toBe(5);
    expect((await world.run(["clean", "--all", "--yes"])).exitCode).toBe(4);
  });
});

test("restore and undo refuse a session that a running claude holds, unless forced, and ignore a dead claude", async () => {
  using world = new HookWorld();
  await takeTwoMarks(world, id);
  const whole = world.read(id);
  mkdirSync(join(world.home, ".claude/sessions"));
  const hold = (startTime: string | undefined): void =>
    writeFileSync(
      join(world.home, `.claude/sessions/${process.pid}.json`),
      JSON.stringify({ pid: process.pid, sessionId: id, procStart: startTime }),
    );
  const identity = identifyProcess(process.pid);
  hold(identity?.startTime);
  expect((await world.run(["restore", id, "--to", "1"])).exitCode).toBe(5);
  expect((await world.run(["restore", id, "--to", "1", "--force"])).exitCode).toBe(0);
  expect((await world.run(["undo", id])).exitCode).toBe(5);
  // Another process now has this pid; the start time tells them apart.
  hold("1");
  if (process.platform === "linux") expect((await world.run(["undo", id])).exitCode).toBe(0);
  else expect((await world.run(["undo", id, "--force"])).exitCode).toBe(0);
  expect(world.read(id)).toEqual(whole);
});

describe("without a session id", () => {
  test("a command uses this directory's session, found by the hook's record or by Claude's directory name", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id, "Stop", { cwd: world.home });
    expect(JSON.parse((await world.run(["list", "--json"])).stdout).session).toBe(id);
  });

  test("a command never uses another project's session", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id, "Stop", { cwd: "/another/project" });
    const { exitCode, stderr } = await world.run(["restore"]);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`The newest elsewhere is ${id}: give its id to use it.`);
  });

  test("undo never reverses a restore of another project, and names the command for it", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    await world.hook(id, "SessionEnd", { cwd: "/another/project" });
    world.grow(id, 1_000, "third");
    await world.hook(id, "Stop", { cwd: "/another/project" });
    await world.run(["restore", id, "--to", "1"]);
    const restored = world.read(id);
    const { exitCode, stderr } = await world.run(["undo"]);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`there is nothing to undo in ${world.home}`);
    expect(stderr).toContain(`session-snapshot undo ${id}`);
    expect(world.read(id)).toEqual(restored);
    expect((await world.run(["undo", id])).exitCode).toBe(0);
  });

  test("undo reverses the last restore of this directory although another project has a newer one", async () => {
    using world = new HookWorld();
    const here = "5f0c1f6e-0000-4000-8000-000000000001";
    for (const [session, cwd] of [
      [here, world.home],
      [id, "/another/project"],
    ] as const) {
      for (const label of ["first", "second"]) {
        world.grow(session, 1_000, label);
        await world.hook(session, "Stop", { cwd });
      }
      await world.run(["restore", session, "--to", "1"]);
    }
    const [mine, theirs] = [world.read(here), world.read(id)];
    expect((await world.run(["undo"])).exitCode).toBe(0);
    expect(world.read(here).length).toBeGreaterThan(mine.length);
    expect(world.read(id)).toEqual(theirs);
  });
});

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keepBackup } from "../../src/store/backups.ts";
import { SnapshotPaths } from "../../src/store/snapshot-paths.ts";
import { HookWorld } from "../support/hook-world.ts";

setDefaultTimeout(60_000);

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

async function twoMarks(world: HookWorld): Promise<void> {
  world.grow(id, 5_000);
  await world.hook(id);
  world.grow(id, 5_000, "second");
  await world.hook(id);
}

/** What a restore has on disk when it is killed before it could say that it was done. */
function diedAfterBackup(world: HookWorld, replacement: string): void {
  const paths = new SnapshotPaths(world.files.root);
  keepBackup(paths, { sessionId: id, kind: "restore", target: world.transcript(id), replacement, now: 1 });
}

describe("restore", () => {
  test("does what the dry run says, also when the transcript has grown beyond its last mark", async () => {
    using world = new HookWorld();
    await twoMarks(world);
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

  test("names no backup and keeps none when nothing changes", async () => {
    using world = new HookWorld();
    await twoMarks(world);
    const { stdout } = await world.run(["restore", id, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ restored: false, unchanged: true, backup: null, earlierMark: null });
    expect((await world.run(["restore", id, "--dry-run"])).stdout).toMatch(/\nreplaces +\S+ kB\n/);
    expect((await world.run(["undo", id])).exitCode).toBe(4);
  });

  test("tells of the earlier life when the present one is the stub that took its place", async () => {
    using world = new HookWorld();
    await twoMarks(world);
    const whole = world.read(id);
    world.overwrite(id, '{"type":"summary"}\n');
    await world.hook(id);
    const { exitCode, stderr } = await world.run(["restore", id]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`session-snapshot restore ${id} --to 2`);
    expect((await world.run(["restore", id, "--to", "fit"])).exitCode).toBe(0);
    expect(world.read(id)).toEqual(whole);
  });

  test("that died before it replaced anything leaves nothing to undo", async () => {
    using world = new HookWorld();
    await twoMarks(world);
    const [mark] = world.files.state(id).marks;
    diedAfterBackup(world, mark?.hash ?? "");
    world.grow(id, 1_000, "Claude went on");
    const after = world.read(id);
    expect((await world.run(["undo", id])).exitCode).toBe(4);
    expect(world.read(id)).toEqual(after);
  });

  test("that died right after it had replaced the transcript can be undone", async () => {
    using world = new HookWorld();
    await twoMarks(world);
    const whole = world.read(id);
    const [mark] = world.files.state(id).marks;
    diedAfterBackup(world, mark?.hash ?? "");
    writeFileSync(world.transcript(id), whole.subarray(0, mark?.size));
    expect((await world.run(["undo", id])).exitCode).toBe(0);
    expect(world.read(id)).toEqual(whole);
  });

  test("sees a running claude that was started with another CLAUDE_CONFIG_DIR", async () => {
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
    expect((await world.run(["clean", "--yes"])).exitCode).toBe(4);
  });
});

describe("without an id", () => {
  test("a command means this directory's session, by the hook's word for it or by Claude's name", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id, "Stop", { cwd: world.home });
    expect(JSON.parse((await world.run(["list", "--json"])).stdout).session).toBe(id);
  });

  test("and never another project's", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id, "Stop", { cwd: "/another/project" });
    const { exitCode, stderr } = await world.run(["restore"]);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`The newest elsewhere is ${id}; name it to mean it.`);
  });
});

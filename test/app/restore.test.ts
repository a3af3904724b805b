import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identifyProcess } from "../../src/io/process.ts";
import { keepBackup, nextBackupNumber } from "../../src/store/backups.ts";
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

  test("keeps what lies beyond the last mark as a mark of its own, and begins a generation with what it has put back", async () => {
    using world = new HookWorld();
    await twoMarks(world);
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

  test("leaves the transcript the mode that it had", async () => {
    using world = new HookWorld();
    await twoMarks(world);
    chmodSync(world.transcript(id), 0o640);
    await world.run(["restore", id, "--to", "1"]);
    expect(statSync(world.transcript(id)).mode & 0o777).toBe(0o640);
    await world.run(["undo", id]);
    expect(statSync(world.transcript(id)).mode & 0o777).toBe(0o640);
  });

  test("from a copy that is not what it was changes nothing", async () => {
    using world = new HookWorld();
    await twoMarks(world);
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

  test("can be undone after Claude went on; what Claude wrote is kept", async () => {
    using world = new HookWorld();
    await twoMarks(world);
    const whole = world.read(id);
    await world.run(["restore", id, "--to", "1"]);
    world.grow(id, 1_000, "Claude went on");
    const further = world.read(id);
    expect((await world.run(["undo", id])).exitCode).toBe(0);
    expect(world.read(id)).toEqual(whole);
    expect(readFileSync(join(world.files.root, "backups", id, "2.jsonl")).equals(further)).toBe(true);
  });

  test("of one that was gone is undone by its absence", async () => {
    using world = new HookWorld();
    await twoMarks(world);
    const whole = world.read(id);
    rmSync(world.transcript(id));
    expect((await world.run(["restore", id])).exitCode).toBe(0);
    expect(world.read(id)).toEqual(whole);
    expect((await world.run(["undo", id])).exitCode).toBe(0);
    expect(existsSync(world.transcript(id))).toBe(false);
  });

  test("is not undone from a kept file that is not what it was", async () => {
    using world = new HookWorld();
    await twoMarks(world);
    await world.run(["restore", id, "--to", "1"]);
    const restored = world.read(id);
    writeFileSync(join(world.files.root, "backups", id, "1.jsonl"), "something else\n");
    const refused = await world.run(["undo", id]);
    expect(refused).toMatchObject({ exitCode: 6, stderr: expect.stringContaining("nothing was changed") });
    expect(world.read(id)).toEqual(restored);
  });

  test("one undo after the other goes back through the restores, and then there is none left", async () => {
    using world = new HookWorld();
    await twoMarks(world);
    const whole = world.read(id);
    await world.run(["restore", id, "--to", "1"]);
    const first = world.read(id);
    await world.run(["restore", id, "--to", "2"]);
    await world.run(["undo", id]);
    expect(world.read(id)).toEqual(first);
    await world.run(["undo", id]);
    expect(world.read(id)).toEqual(whole);
    expect((await world.run(["undo", id])).exitCode).toBe(4);
    expect(world.read(id)).toEqual(whole);
  });

  test("a number that a backup has had is not given again, though the earlier ones are gone", () => {
    using world = new HookWorld();
    const directory = join(world.files.root, "backups", id);
    mkdirSync(directory, { recursive: true });
    for (const name of ["7.json", "7.jsonl"]) writeFileSync(join(directory, name), "");
    expect(nextBackupNumber(new SnapshotPaths(world.files.root), id)).toBe(8);
  });

  test.each<[what: string, change: object]>([
    ["that has lost what it kept", { kept: undefined }],
    ["whose kept file has no hash", { kept: { size: 5 } }],
    ["of another session", { sessionId: "../another" }],
    ["of another number", { number: 7 }],
    ["of a command that there is not", { kind: "other" }],
  ])("a note of what was replaced %s is not gone by", async (_, change) => {
    using world = new HookWorld();
    await twoMarks(world);
    await world.run(["restore", id, "--to", "1"]);
    const restored = world.read(id);
    const note = join(world.files.root, "backups", id, "1.json");
    writeFileSync(note, JSON.stringify({ ...JSON.parse(readFileSync(note, "utf8")), ...change }));
    expect(await world.run(["undo", id])).toMatchObject({ exitCode: 4 });
    expect(world.read(id)).toEqual(restored);
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

test("neither restored nor undone while a running claude holds it, unless forced; one that is dead holds nothing", async () => {
  using world = new HookWorld();
  await twoMarks(world);
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
  // The number belongs to another by now, where times can be compared.
  hold("1");
  if (process.platform === "linux") expect((await world.run(["undo", id])).exitCode).toBe(0);
  else expect((await world.run(["undo", id, "--force"])).exitCode).toBe(0);
  expect(world.read(id)).toEqual(whole);
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

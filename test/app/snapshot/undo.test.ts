import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nextBackupNumber } from "../../../src/store/snapshots/backups.ts";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";
import { takeTwoMarks } from "../../support/worlds/two-marks.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

describe("a restore", () => {
  test("is not undone after Claude has continued, unless forced; then the way back is printed and works", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    const whole = world.read(id);
    await world.run(["restore", id, "--to", "1"]);
    const restored = world.read(id);
    world.grow(id, 1_000, "Claude went on");
    const further = world.read(id);
    const refused = await world.run(["undo", id]);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(`has grown by ${further.length - restored.length} bytes since the restore`);
    expect(refused.stderr).toContain(`session-snapshot undo ${id} --force`);
    expect(world.read(id)).toEqual(further);
    const forced = await world.run(["undo", id, "--force"]);
    expect(forced.exitCode).toBe(0);
    expect(world.read(id)).toEqual(whole);
    expect(readFileSync(join(world.files.root, "backups", id, "2.jsonl")).equals(further)).toBe(true);
    const [, back = ""] = /To bring it back: session-snapshot (.*)\n/.exec(forced.stderr) ?? [];
    expect((await world.run(back.split(" "))).exitCode).toBe(0);
    expect(world.read(id)).toEqual(further);
  });

  test("is not undone when the transcript was rewritten since", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    await world.run(["restore", id, "--to", "1"]);
    world.overwrite(id, '{"type":"summary"}\n');
    const refused = await world.run(["undo", id]);
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("has changed since the restore")]);
    expect(world.read(id).toString()).toBe('{"type":"summary"}\n');
  });

  test("of a missing transcript is undone by removing it again", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    const whole = world.read(id);
    rmSync(world.transcript(id));
    expect((await world.run(["restore", id])).exitCode).toBe(0);
    expect(world.read(id)).toEqual(whole);
    expect((await world.run(["undo", id])).exitCode).toBe(0);
    expect(existsSync(world.transcript(id))).toBe(false);
  });

  test("is not undone from a damaged backup", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    await world.run(["restore", id, "--to", "1"]);
    const restored = world.read(id);
    writeFileSync(join(world.files.root, "backups", id, "1.jsonl"), "something else\n");
    const refused = await world.run(["undo", id]);
    expect(refused).toMatchObject({ exitCode: 6, stderr: expect.stringContaining("nothing was changed") });
    expect(world.read(id)).toEqual(restored);
  });

  test("repeated undos revert one restore each until none is left", async () => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
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

  test("never reuses a backup number, even when earlier backups are gone", () => {
    using world = new HookWorld();
    const directory = join(world.files.root, "backups", id);
    mkdirSync(directory, { recursive: true });
    for (const name of ["7.json", "7.jsonl"]) writeFileSync(join(directory, name), "");
    expect(nextBackupNumber(new SnapshotPaths(world.files.root), id)).toBe(8);
  });

  test.each<[what: string, change: object]>([
    ["without the backup's facts", { kept: undefined }],
    ["without the backup's hash", { kept: { size: 5 } }],
    ["of another session", { sessionId: "../another" }],
    ["with another number", { number: 7 }],
    ["of an unknown command", { kind: "other" }],
  ])("undo ignores a backup record %s", async (_, change) => {
    using world = new HookWorld();
    await takeTwoMarks(world, id);
    await world.run(["restore", id, "--to", "1"]);
    const restored = world.read(id);
    const note = join(world.files.root, "backups", id, "1.json");
    writeFileSync(note, JSON.stringify({ ...JSON.parse(readFileSync(note, "utf8")), ...change }));
    expect(await world.run(["undo", id])).toMatchObject({ exitCode: 4 });
    expect(world.read(id)).toEqual(restored);
  });
});

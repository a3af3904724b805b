import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HookWorld } from "../../support/worlds/hook-world.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

describe("a changed transcript starts a new generation and keeps the old one", () => {
  async function before(world: HookWorld): Promise<Buffer> {
    world.grow(id, 300_000);
    await world.hook(id);
    return world.read(id);
  }

  function expectBoth(world: HookWorld, old: Buffer, why: string): void {
    const state = world.files.state(id);
    expect(state).toMatchObject({ generation: 2, past: [{ generation: 1, why, size: old.length }] });
    expect(world.files.pastMirror(id, 1)).toEqual(old);
    expect(world.files.mirror(id)).toEqual(world.read(id));
    expect(state.marks.map(({ n }) => n)).toEqual([2]);
  }

  test("when it shrinks", async () => {
    using world = new HookWorld();
    const old = await before(world);
    const half = old.subarray(0, old.indexOf("\n", 150_000) + 1);
    truncateSync(world.transcript(id), half.length);
    await world.hook(id, "PostToolUse");
    expectBoth(world, old, "shrunk");
  });

  test("when a stub overwrites it", async () => {
    using world = new HookWorld();
    const old = await before(world);
    world.overwrite(id, '{"type":"summary"}\n');
    await world.hook(id, "PostToolUse");
    expectBoth(world, old, "shrunk");
  });

  test("when longer content overwrites it", async () => {
    using world = new HookWorld();
    const old = await before(world);
    world.overwrite(id, "");
    world.grow(id, 500_000, "other");
    await world.hook(id);
    expectBoth(world, old, "rewritten");
  });

  test("when a line is removed and all later bytes move", async () => {
    using world = new HookWorld();
    const old = await before(world);
    const text = old.toString();
    world.overwrite(id, text.slice(text.indexOf("\n") + 1) + text);
    await world.hook(id);
    expectBoth(world, old, "rewritten");
  });

  test("when it moves to another directory", async () => {
    using world = new HookWorld();
    const old = await before(world);
    const elsewhere = join(world.home, ".claude/projects/-elsewhere");
    mkdirSync(elsewhere);
    world.grow(id, 1_000, "more");
    renameSync(world.transcript(id), join(elsewhere, `${id}.jsonl`));
    await world.hook(id, "Stop", { transcript_path: join(elsewhere, `${id}.jsonl`) });
    expect(world.files.state(id)).toMatchObject({ generation: 2, past: [{ why: "moved", size: old.length }] });
  });

  test("after a few marks, when an early line is edited without changing its length", async () => {
    using world = new HookWorld();
    const old = await before(world);
    const edited = Buffer.from(old);
    edited.write("EDITED", 100_000);
    // Edited in place, so that the inode, the beginning and the end stay the same.
    writeFileSync(world.transcript(id), edited, { flag: "r+" });
    for (let turn = 0; turn < 80 && world.files.state(id).generation === 1; turn++) {
      world.grow(id, 100, `turn-${turn}`);
      await world.hook(id);
    }
    expect(world.files.state(id)).toMatchObject({ generation: 2, past: [{ why: "rewritten" }] });
  });

  test("but not when the same content is written to a new file or reached by another path", async () => {
    using world = new HookWorld();
    await before(world);
    copyFileSync(world.transcript(id), `${world.transcript(id)}.copy`);
    renameSync(`${world.transcript(id)}.copy`, world.transcript(id));
    world.grow(id, 1_000, "more");
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({ generation: 1, count: 2 });
    world.grow(id, 1_000, "yet more");
    await world.hook(id, "Stop", { transcript_path: join(world.project, "..", "-project", `${id}.jsonl`) });
    expect(world.files.state(id)).toMatchObject({ generation: 1, count: 3 });
    expect(world.files.mirror(id)).toEqual(world.read(id));
  });
});

describe("damage to our own files", () => {
  test.each([
    ["a state that is not JSON", "{torn"],
    ["a state of another version", '{"version":99}'],
    ["an empty state", ""],
  ])("%s: keeps the copy as a past generation", async (_what, text) => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id);
    const old = world.files.mirror(id);
    writeFileSync(world.files.statePath(id), text);
    world.grow(id, 1_000, "more");
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({
      past: [{ generation: 1, why: "unreadable-state", size: old.length }],
    });
    expect(world.files.pastMirror(id, 1)).toEqual(old);
    expect(world.files.mirror(id)).toEqual(world.read(id));
    const [restorable] = JSON.parse((await world.run(["list", id, "--json"])).stdout).marks;
    // The user may have noted a mark number, so it is never reused.
    expect(restorable.n).toBeGreaterThan(1);
    expect(await world.run(["restore", id, "--to", String(restorable.n)])).toMatchObject({ exitCode: 0 });
    expect(world.read(id)).toEqual(old);
  });

  test("finds past generations again when the state is lost, and the path when the transcript is lost too", async () => {
    using world = new HookWorld();
    world.grow(id, 5_000);
    await world.hook(id);
    const first = world.read(id);
    world.overwrite(id, '{"type":"summary"}\n');
    await world.hook(id);
    const second = world.read(id);
    writeFileSync(world.files.statePath(id), "garbage");
    rmSync(world.transcript(id));
    const { stdout } = await world.run(["restore", id, "--to", "1", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ restored: true, target: world.transcript(id) });
    expect(world.read(id)).toEqual(first);
    const listed = JSON.parse((await world.run(["list", id, "--json"])).stdout);
    const recovered = listed.marks.find((mark: { reason: string }) => mark.reason === "recovered");
    expect(await world.run(["restore", id, "--to", String(recovered.n)])).toMatchObject({ exitCode: 0 });
    expect(world.read(id)).toEqual(second);
  });

  test("lists a past generation whose record is unreadable", async () => {
    using world = new HookWorld();
    world.grow(id, 5_000);
    await world.hook(id);
    world.overwrite(id, '{"type":"summary"}\n');
    await world.hook(id);
    writeFileSync(join(world.files.root, `snapshots/generations/${id}.1.state.json`), "garbage");
    const [session] = JSON.parse((await world.run(["status", "--json"])).stdout).sessions;
    expect(session.generations).toBe(2);
    expect(session.warnings[0]).toMatch(
      /^the record of generation 1 cannot be read; its bytes may be in .*\.1\.jsonl$/,
    );
  });

  test("keeps newer generations when the user restores our state and mirror from an old backup", async () => {
    using world = new HookWorld();
    world.grow(id, 5_000);
    await world.hook(id);
    const saved = [world.files.mirrorPath(id), world.files.statePath(id)].map(
      (path) => [path, readFileSync(path)] as const,
    );
    world.overwrite(id, '{"type":"summary"}\n');
    await world.hook(id);
    for (const [path, content] of saved) writeFileSync(path, content);
    world.overwrite(id, '{"type":"another"}\n');
    await world.hook(id);
    expect(world.files.state(id).past.map(({ generation }) => generation)).toEqual([2]);
    expect(world.files.pastMirror(id, 1)).toEqual(world.files.pastMirror(id, 2));
    expect(world.files.mirror(id)).toEqual(world.read(id));
  });

  test("reads back any inode number that a file system may use", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id);
    const state = { ...world.files.state(id), file: "18446744073709551615:18446744073709551615" };
    writeFileSync(world.files.statePath(id), JSON.stringify(state));
    world.grow(id, 1_000, "more");
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({ generation: 1, count: 2 });
    expect(world.files.state(id).file).toMatch(/^\d+:\d+$/);
  });

  test("sets a truncated mirror aside, and copies again when it is truncated or missing", async () => {
    using world = new HookWorld();
    world.grow(id, 10_000);
    await world.hook(id);
    truncateSync(world.files.mirrorPath(id), 5_000);
    world.grow(id, 1_000, "more");
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({ generation: 2, past: [{ why: "damaged" }] });
    expect(world.files.mirror(id)).toEqual(world.read(id));
    rmSync(world.files.mirrorPath(id));
    await world.hook(id);
    world.grow(id, 1_000, "again");
    await world.hook(id);
    expect(world.files.mirror(id)).toEqual(world.read(id));
  });

  test("ignores bytes that a killed hook wrote beyond the acknowledged size", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id);
    writeFileSync(world.files.mirrorPath(id), "\0".repeat(5_000), { flag: "a" });
    world.grow(id, 1_000, "more");
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({ generation: 1, count: 2 });
    expect(world.files.mirror(id)).toEqual(world.read(id));
  });
});

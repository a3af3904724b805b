// HOME, ~/.claude or CLAUDE_CONFIG_DIR moved since the snapshot: commands write where Claude reads, never to the old place.
import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HookWorld } from "../../support/worlds/hook-world.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

interface Moved {
  world: HookWorld;
  /** The transcript's path in the old directory, and in the new one. */
  old: string;
  now: string;
  whole: Buffer;
}

async function twoMarks(world: HookWorld): Promise<Buffer> {
  world.grow(id, 5_000);
  await world.hook(id);
  world.grow(id, 5_000, "second");
  await world.hook(id);
  return world.read(id);
}

/** Two marks, then CLAUDE_CONFIG_DIR moves. */
async function moveConfig(world: HookWorld): Promise<Moved> {
  const whole = await twoMarks(world);
  const old = world.transcript(id);
  const config = join(world.home, "new-config");
  renameSync(join(world.home, ".claude"), config);
  world.env["CLAUDE_CONFIG_DIR"] = config;
  return { world, old, now: join(config, "projects/-project", `${id}.jsonl`), whole };
}

const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

describe("after CLAUDE_CONFIG_DIR moved", () => {
  test("restore replaces the transcript in the new directory, and undo brings it back there", async () => {
    using world = new HookWorld();
    const { old, now, whole } = await moveConfig(world);
    const restored = await world.run(["restore", id, "--to", "1", "--json"]);
    expect([restored.exitCode, json(restored.stdout)["target"]]).toEqual([0, now]);
    expect(readFileSync(now).length).toBeLessThan(whole.length);
    expect(existsSync(old)).toBe(false);
    expect((await world.run(["undo", id])).exitCode).toBe(0);
    expect(readFileSync(now).equals(whole)).toBe(true);
    expect(existsSync(join(world.home, ".claude"))).toBe(false);
  });

  test("restore puts a deleted transcript into the new directory and does not recreate the old one", async () => {
    using world = new HookWorld();
    const { now, whole } = await moveConfig(world);
    rmSync(now);
    const planned = json((await world.run(["restore", id, "--dry-run", "--json"])).stdout);
    const { exitCode, stderr } = await world.run(["restore", id]);
    expect([exitCode, planned["target"]]).toEqual([0, now]);
    expect(stderr).toContain(`The transcript is now at ${now}`);
    expect(readFileSync(now).equals(whole)).toBe(true);
    expect(existsSync(join(world.home, ".claude"))).toBe(false);
  });

  test("an undo of a restore made before the move writes to the new directory", async () => {
    using world = new HookWorld();
    const whole = await twoMarks(world);
    await world.run(["restore", id, "--to", "1"]);
    const config = join(world.home, "new-config");
    renameSync(join(world.home, ".claude"), config);
    world.env["CLAUDE_CONFIG_DIR"] = config;
    expect((await world.run(["undo", id])).exitCode).toBe(0);
    expect(readFileSync(join(config, "projects/-project", `${id}.jsonl`)).equals(whole)).toBe(true);
    expect(existsSync(join(world.home, ".claude"))).toBe(false);
  });

  test("restore saves the lines that Claude added in the new directory before it replaces them", async () => {
    using world = new HookWorld();
    const { now, whole } = await moveConfig(world);
    appendFileSync(now, '{"type":"user","uuid":"later","message":{"content":"after the move"}}\n');
    const grown = readFileSync(now);
    expect((await world.run(["restore", id, "--to", "2"])).exitCode).toBe(0);
    expect(readFileSync(now).equals(whole)).toBe(true);
    const { marks } = JSON.parse((await world.run(["list", id, "--json"])).stdout) as {
      marks: { n: number; reason: string; size: number }[];
    };
    expect(marks.find(({ reason }) => reason === "before-restore")?.size).toBe(grown.length);
  });

  test("verify, repair, view and status use the new directory", async () => {
    using world = new HookWorld();
    const { now, old } = await moveConfig(world);
    // A left-over copy at the old place is not Claude's transcript any more.
    mkdirSync(join(old, ".."), { recursive: true });
    writeFileSync(old, "old copy\n");
    appendFileSync(now, '{"torn');
    expect(json((await world.run(["verify", id, "--json"])).stdout)).toMatchObject({ path: now, clean: false });
    expect(json((await world.run(["repair", id, "--json"])).stdout)).toMatchObject({ path: now, repaired: true });
    expect(readFileSync(now, "utf8")).not.toContain("torn");
    expect((await world.run(["view", id])).stdout).toContain("second 3");
    const [session] = json((await world.run(["status", "--json"])).stdout)["sessions"] as object[];
    expect(session).toMatchObject({ transcriptPath: now });
    expect(readFileSync(old, "utf8")).toBe("old copy\n");
  });
});

test("restore after HOME moved with everything in it writes below the new HOME", async () => {
  using world = new HookWorld();
  const whole = await twoMarks(world);
  const home = `${world.home}-moved`;
  renameSync(world.home, home);
  using moved = new HookWorld(home);
  rmSync(moved.transcript(id));
  expect((await moved.run(["restore", id])).exitCode).toBe(0);
  expect(moved.read(id)).toEqual(whole);
  expect(existsSync(world.home)).toBe(false);
});

test("restore leaves a transcript of another CLAUDE_CONFIG_DIR that is still in use where it is", async () => {
  using world = new HookWorld();
  const other = join(world.home, "other/projects/-p");
  mkdirSync(other, { recursive: true });
  const transcript = join(other, `${id}.jsonl`);
  for (const text of ['{"a":1}\n', '{"a":1}\n{"a":2}\n']) {
    writeFileSync(transcript, text);
    await world.hook(id, "Stop", { transcript_path: transcript });
  }
  expect(json((await world.run(["restore", id, "--to", "1", "--json"])).stdout)).toMatchObject({ target: transcript });
  expect(readFileSync(transcript, "utf8")).toBe('{"a":1}\n');
});

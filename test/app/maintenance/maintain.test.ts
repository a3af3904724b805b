import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { maintain, type MaintenanceReport } from "../../../src/app/maintenance/maintain.ts";
import { tryLock } from "../../../src/store/lock.ts";
import type { MaintenanceRecord } from "../../../src/store/snapshots/maintenance-record.ts";
import { agedSession, ageSnapshot, setAge } from "../../support/worlds/age-snapshot.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";
import { isPacked, rewriteSession, runMaintenance } from "../../support/worlds/maintenance.ts";
import { untilFile } from "../../support/until-file.ts";

const day = 86_400_000;
let world: HookWorld;
let root: string;

beforeEach(() => {
  world = new HookWorld();
  root = world.files.root;
});

afterEach(() => world[Symbol.dispose]());

const session = (id: string, days: number, bytes = 100_000): Promise<void> => agedSession(world, id, days, { bytes });

const run = (more: Record<string, string> = {}): MaintenanceReport => runMaintenance(world, more);

const record = (): MaintenanceRecord => JSON.parse(readFileSync(join(root, "maintenance.json"), "utf8"));
async function statusOf(): Promise<{ problems: string[] }> {
  const { stdout, exitCode } = await world.run(["status", "--json"]);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

test.each([
  ["config.json is not JSON", "{ maxDisk: 1 }", {}],
  ["maxDisk is not a number", '{ "maxDisk": "lots" }', {}],
  ["the variable is not a number", "{}", { SESSION_SNAPSHOT_MAX_DISK: "50 GB" }],
])("drops nothing when %s", async (_why, config, variables) => {
  await session("old", 40);
  await session("newest", 0);
  writeFileSync(join(root, "config.json"), config);
  // A sparse file: more than the default cap, without using the disk.
  writeFileSync(join(root, "large"), "");
  truncateSync(join(root, "large"), 6_000_000_000);
  expect(run(variables).dropped).toEqual([]);
  writeFileSync(join(root, "config.json"), "{}");
  expect(run().dropped.map(({ sessionId }) => sessionId)).toEqual(["old"]);
});

describe("packing", () => {
  test("packs cold sessions; recent, live and latest sessions stay plain", async () => {
    await session("cold", 8);
    await session("warm", 6);
    await session("held", 30);
    holdByClaude("held");
    await session("newest", 20);
    const report = run();
    expect(report.packed.map(({ sessionId }) => sessionId)).toEqual(["cold"]);
    expect(report.problems).toEqual([]);
    expect(["cold", "warm", "held", "newest"].map((id) => isPacked(world, id))).toEqual([true, false, false, false]);
    expect(run().packed).toEqual([]);
  });

  test("packs cold past generations of a live session, and can restore them", async () => {
    await session("long", 0);
    const before = await rewriteSession(world, "long");
    ageSnapshot(root, "long", 10);
    world.grow("long", 90_000, "today");
    await world.hook("long");
    expect(run().packed.map(({ generation }) => generation)).toEqual([1]);
    expect(readdirSync(join(root, "snapshots/generations")).sort()).toEqual(["long.1.jsonl.zst", "long.1.state.json"]);
    const now = world.read("long");
    expect(await world.run(["restore", "long", "--to", "1", "--dry-run"])).toMatchObject({ exitCode: 0 });
    expect(await world.run(["restore", "long", "--to", "1"])).toMatchObject({ exitCode: 0 });
    expect(world.read("long").equals(before)).toBe(true);
    expect(await world.run(["undo", "long"])).toMatchObject({ exitCode: 0 });
    expect(world.read("long").equals(now)).toBe(true);
  });

  test("leaves a damaged mirror unchanged, and status reports it", async () => {
    await session("bad", 8);
    await session("other", 0);
    const mirror = world.files.mirror("bad");
    mirror[5_000] = 0;
    writeFileSync(world.files.mirrorPath("bad"), mirror);
    setAge(world.files.mirrorPath("bad"), 8 * day);
    expect(run()).toMatchObject({ packed: [], problems: [expect.stringContaining("session bad:")] });
    expect(world.files.mirror("bad").equals(mirror)).toBe(true);
    expect((await statusOf()).problems).toEqual([expect.stringContaining("session bad:")]);
  });

  test("skips a session whose lock is held", async () => {
    await session("busy", 8);
    await session("other", 0);
    const lock = tryLock(join(root, "locks/busy.lock"));
    if (!lock) throw new Error("it is locked");
    expect(run()).toMatchObject({ packed: [], problems: [] });
    lock.release();
    expect(run().packed).toHaveLength(1);
  });

  test("does not repeat a crashed run at once", async () => {
    await session("some", 0);
    const began = Date.now() - 5_000;
    let calls = 0;
    const now = (): number => {
      if (calls++ === 0) return began;
      throw new Error("died");
    };
    expect(() => maintain({ ...currentEnvironment(world.env), now })).toThrow("died");
    expect(record().lastRun).toBe(began);
  });

  test("a second run at the same time does nothing", () => {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    const lock = tryLock(join(root, "maintenance.lock"));
    if (!lock) throw new Error("it is locked");
    expect(maintain(currentEnvironment(world.env))).toBeUndefined();
    lock.release();
  });
});

describe("the disk cap", () => {
  test("drops the oldest sessions, only as many as needed, and status reports it", async () => {
    for (const [id, days] of [
      ["a", 40],
      ["b", 30],
      ["c", 5],
      ["d", 0],
    ] as const)
      await session(id, days, 300_000);
    // Packed sessions take almost no space, so the cap has room for the two plain ones.
    const report = run({ SESSION_SNAPSHOT_MAX_DISK: "650000" });
    expect(report).toMatchObject({ dropped: [], over: 0 });
    const tight = run({ SESSION_SNAPSHOT_MAX_DISK: "400000" });
    expect(tight.dropped.map(({ sessionId }) => sessionId)).toEqual(["a", "b", "c"]);
    expect(tight.over).toBe(0);
    expect(readdirSync(join(root, "snapshots")).sort()).toEqual(["d.jsonl", "d.state.json", "latest.json"]);
    expect(record().dropped.map(({ sessionId, onlyCopy }) => ({ sessionId, onlyCopy }))).toEqual(
      ["a", "b", "c"].map((sessionId) => ({ sessionId, onlyCopy: false })),
    );
    const { problems } = await statusOf();
    expect(problems).toEqual([
      expect.stringMatching(/^the disk cap was reached: dropped the snapshots of 3 sessions, 0\.\d MB, oldest first/),
    ]);
    for (const id of ["a", "b", "c"]) expect(existsSync(world.transcript(id))).toBe(true);
  });

  test("never drops a live session, and status reports that the cap is exceeded", async () => {
    await session("live", 0);
    expect(run({ SESSION_SNAPSHOT_MAX_DISK: "1000" })).toMatchObject({ dropped: [] });
    expect(record().over).toBeGreaterThan(90_000);
    expect((await statusOf()).problems).toEqual([
      expect.stringContaining("more than the disk cap because the rest is in use"),
    ]);
  });

  test("drops an only copy last, and status says that it was the only copy", async () => {
    await session("gone", 60);
    rmSync(world.transcript("gone"));
    await session("kept", 2);
    await session("today", 0);
    const room = String(150_000 + statSync(`${world.files.mirrorPath("gone")}`).size);
    expect(run({ SESSION_SNAPSHOT_MAX_DISK: room }).dropped).toEqual([]);
    expect(run({ SESSION_SNAPSHOT_MAX_DISK: "120000" }).dropped).toMatchObject([
      { sessionId: "kept", onlyCopy: false },
    ]);
    expect(run({ SESSION_SNAPSHOT_MAX_DISK: "1000" }).dropped).toMatchObject([{ sessionId: "gone", onlyCopy: true }]);
    expect((await statusOf()).problems.join("\n")).toContain("session gone (-project), 0.0 MB");
    expect((await statusOf()).problems.join("\n")).toContain("the only copy; ");
  });

  test("drops past generations before sessions, and keeps the session consistent", async () => {
    await session("old", 0, 300_000);
    await rewriteSession(world, "old");
    ageSnapshot(root, "old", 20);
    await session("today", 0);
    // Nothing is cold, so packing frees no space.
    const report = run({ SESSION_SNAPSHOT_MAX_DISK: "250000", SESSION_SNAPSHOT_COLD_AFTER_DAYS: "100" });
    expect(report.dropped.map(({ sessionId, generation }) => [sessionId, generation])).toEqual([["old", 1]]);
    expect(world.files.state("old")).toMatchObject({ generation: 2, past: [] });
    expect(readdirSync(join(root, "snapshots/generations"))).toEqual([]);
    const before = world.read("old");
    rmSync(world.transcript("old"));
    expect(await world.run(["restore", "old"])).toMatchObject({ exitCode: 0 });
    expect(world.read("old").equals(before)).toBe(true);
  });
});

test("sweeps leftovers of killed writers and ended sessions, but nothing new or in use", async () => {
  await session("here", 0);
  const old = ["snapshots/.here.jsonl.tmp-123-0", "backups/x/.1.jsonl.tmp-9-9", "canary/quiet.json", "locks/gone.lock"];
  const kept = ["snapshots/.here.jsonl.tmp-124-0", "canary/loud.json", "locks/new.lock", "locks/here.lock"];
  for (const name of [...old, ...kept]) {
    mkdirSync(join(root, name, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(join(root, name), "{}");
  }
  for (const name of [...old, "locks/here.lock"]) setAge(join(root, name), 8 * day);
  run();
  expect([...old, ...kept].filter((name) => existsSync(join(root, name)))).toEqual(kept);
});

test("does not finish an interrupted removal when the session exists again", async () => {
  await session("back", 0);
  const whole = world.read("back");
  const begun = join(root, "snapshots/back.removing.json");
  writeFileSync(begun, readFileSync(world.files.statePath("back")));
  run();
  expect(existsSync(begun)).toBe(false);
  expect(world.files.mirror("back")).toEqual(whole);
  expect((await world.run(["restore", "back", "--dry-run"])).exitCode).toBe(0);
});

describe("a hook", () => {
  const lastRun = (time: number): void =>
    writeFileSync(
      join(root, "maintenance.json"),
      JSON.stringify({ version: 1, lastRun: time, over: 0, dropped: [], problems: ["before"] }),
    );

  test.each(["SessionEnd", "Stop"])(
    "for %s starts maintenance when the last run is a day ago, and does not wait for it",
    async (event) => {
      await session("cold", 8);
      await session("ending", 0);
      lastRun(Date.now() - day - 1);
      world.grow("ending", 500, "last words");
      await world.hook("ending", event);
      // The run writes its findings last.
      await untilFile(join(root, "maintenance.json"), (text) => text.includes('"problems":[]'));
      expect(isPacked(world, "cold")).toBe(true);
    },
  );

  test("starts no maintenance in the first day of an installation", async () => {
    await session("cold", 8);
    await session("ending", 0);
    expect(record().lastRun).toBeGreaterThan(Date.now() - day);
    expect(isPacked(world, "cold")).toBe(false);
  });
});

/** Registers this test process as a running claude. */
function holdByClaude(sessionId: string): void {
  mkdirSync(join(world.home, ".claude/sessions"), { recursive: true });
  writeFileSync(
    join(world.home, `.claude/sessions/${process.pid}.json`),
    JSON.stringify({ pid: process.pid, sessionId }),
  );
}

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chooseSession } from "../../src/app/choose-session.ts";
import { currentEnvironment } from "../../src/app/environment.ts";
import { maintain, type MaintenanceReport } from "../../src/app/maintain.ts";
import { tryLock } from "../../src/store/lock.ts";
import type { MaintenanceRecord } from "../../src/store/maintenance-record.ts";
import { ageSnapshot, setAge } from "../support/age-snapshot.ts";
import { HookWorld } from "../support/hook-world.ts";
import { untilFile } from "../support/until-file.ts";

setDefaultTimeout(60_000);

const day = 86_400_000;
let world: HookWorld;
let root: string;

beforeEach(() => {
  world = new HookWorld();
  root = world.files.root;
});

afterEach(() => world[Symbol.dispose]());

/** A session with a snapshot of everything, not used for so many days. */
async function session(id: string, days: number, bytes = 100_000): Promise<void> {
  world.grow(id, bytes, id);
  await world.hook(id);
  ageSnapshot(root, id, days);
}

/** Gives the session a past generation: all that was there, and a new beginning. */
async function rewrite(id: string): Promise<Buffer> {
  const before = world.read(id);
  world.overwrite(id, "");
  world.grow(id, 50_000, "another beginning");
  await world.hook(id);
  return before;
}

function run(more: Record<string, string> = {}): MaintenanceReport {
  const report = maintain(currentEnvironment({ ...world.env, ...more }));
  if (report === "busy") throw new Error("somebody else is at it");
  return report;
}

const record = (): MaintenanceRecord => JSON.parse(readFileSync(join(root, "maintenance.json"), "utf8"));
const isPacked = (id: string): boolean =>
  existsSync(`${world.files.mirrorPath(id)}.zst`) && !existsSync(world.files.mirrorPath(id));

async function statusOf(): Promise<{ problems: string[] }> {
  const { stdout, exitCode } = await world.run(["status", "--json"]);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

describe("packing", () => {
  test("what is cold is packed; the warm, the live and the latest stay plain", async () => {
    await session("cold", 8);
    await session("warm", 6);
    await session("held", 30);
    holdByClaude("held");
    await session("newest", 20);
    const report = run();
    expect(report.packed.map(({ sessionId }) => sessionId)).toEqual(["cold"]);
    expect(report.problems).toEqual([]);
    expect(["cold", "warm", "held", "newest"].map(isPacked)).toEqual([true, false, false, false]);
    expect(run().packed).toEqual([]);
  });

  test("cold past generations are packed while their session lives, and can be restored", async () => {
    await session("long", 0);
    const before = await rewrite("long");
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

  test("a mirror that is damaged stays as it is, and status says so", async () => {
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

  test("a session that somebody works on is left for the next time", async () => {
    await session("busy", 8);
    await session("other", 0);
    const lock = tryLock(join(root, "locks/busy.lock"));
    if (lock === "busy") throw new Error("it is locked");
    expect(run()).toMatchObject({ packed: [], problems: [] });
    lock.release();
    expect(run().packed).toHaveLength(1);
  });

  test("a run that dies is not tried again at once", async () => {
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

  test("two runs at once: the second leaves", () => {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    const lock = tryLock(join(root, "maintenance.lock"));
    if (lock === "busy") throw new Error("it is locked");
    expect(maintain(currentEnvironment(world.env))).toBe("busy");
    lock.release();
  });
});

describe("a packed session", () => {
  const id = "packed";

  beforeEach(async () => {
    await session(id, 8, 5_000_000);
    await session("latest", 0);
    run();
    expect(isPacked(id)).toBe(true);
  });

  test("is restored when Claude's transcript is gone", async () => {
    const before = world.read(id);
    rmSync(world.transcript(id));
    expect(await world.run(["restore", id])).toMatchObject({ exitCode: 0 });
    expect(world.read(id).equals(before)).toBe(true);
  });

  test("is listed and shown by status as any other", async () => {
    const list = JSON.parse((await world.run(["list", id, "--json"])).stdout);
    expect(list.marks).toHaveLength(1);
    const { sessions } = JSON.parse((await world.run(["status", "--json"])).stdout);
    expect(sessions.map((each: { session: string }) => each.session)).toEqual(["latest", id]);
    expect(isPacked(id)).toBe(true);
  });

  test("is viewed as any other, at a mark and when Claude's transcript is gone", async () => {
    const marked = await world.run(["view", id, "--to", "1", "--plain"]);
    expect(marked).toMatchObject({ exitCode: 0, stderr: "" });
    expect(marked.stdout).toContain(`${id} 0 xxx`);
    rmSync(world.transcript(id));
    const gone = await world.run(["view", id, "--plain"]);
    expect(gone).toMatchObject({ exitCode: 0, stdout: marked.stdout });
    expect(isPacked(id)).toBe(true);
  });

  test("is not taken for the newest one of its directory, although its state was written last", () => {
    const environment = currentEnvironment(world.env);
    expect(chooseSession(environment, undefined, "/project")).toBe("latest");
  });

  test("is continued by a hook, and what it replaced is gone", async () => {
    world.grow(id, 200_000, "again");
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({ generation: 1, count: 2 });
    expect(world.files.mirror(id).equals(world.read(id))).toBe(true);
    expect(existsSync(`${world.files.mirrorPath(id)}.zst`)).toBe(false);
    // It has just been used: it is not packed again at once.
    expect(run().packed).toEqual([]);
  });

  test("stays packed while nothing is new", async () => {
    await world.hook(id, "SessionStart", { source: "resume" });
    await world.hook(id, "Stop");
    world.grow(id, 1_000, "too little");
    await world.hook(id, "PostToolUse");
    expect(isPacked(id)).toBe(true);
  });

  test("notices that the transcript was overwritten, and keeps both", async () => {
    const before = world.read(id);
    await rewrite(id);
    expect(world.files.state(id)).toMatchObject({ generation: 2, past: [{ why: "shrunk" }] });
    expect(world.files.pastMirror(id, 1).equals(before)).toBe(true);
  });
});

describe("the disk cap", () => {
  test("the oldest go first, only as many as needed, and status says it", async () => {
    for (const [id, days] of [
      ["a", 40],
      ["b", 30],
      ["c", 5],
      ["d", 0],
    ] as const)
      await session(id, days, 300_000);
    // Packed they take next to nothing; so the cap has room for the two plain ones.
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
      expect.stringMatching(
        /^the disk cap was reached: dropped the snapshots of 3 sessions, 0\.\d MB, the oldest first/,
      ),
    ]);
    for (const id of ["a", "b", "c"]) expect(existsSync(world.transcript(id))).toBe(true);
  });

  test("a live one is never dropped, and status says that the cap does not hold", async () => {
    await session("live", 0);
    expect(run({ SESSION_SNAPSHOT_MAX_DISK: "1000" })).toMatchObject({ dropped: [] });
    expect(record().over).toBeGreaterThan(90_000);
    expect((await statusOf()).problems).toEqual([
      expect.stringContaining("more than the disk cap, and what is left is"),
    ]);
  });

  test("the only copy goes after all others, and is called that", async () => {
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
    expect((await statusOf()).problems.join("\n")).toContain("the only copy there was");
  });

  test("past generations go before sessions, and the session stays consistent", async () => {
    await session("old", 0, 300_000);
    await rewrite("old");
    ageSnapshot(root, "old", 20);
    await session("today", 0);
    // Nothing is cold, so nothing is made small by packing.
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

test("sweeps what kills and ended sessions left, but nothing that is new or in use", async () => {
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

test("a removal that was begun is not finished where there is a session again", async () => {
  await session("back", 0);
  const whole = world.read("back");
  const begun = join(root, "snapshots/back.removing.json");
  writeFileSync(begun, readFileSync(world.files.statePath("back")));
  run();
  expect(existsSync(begun)).toBe(false);
  expect(world.files.mirror("back")).toEqual(whole);
  expect((await world.run(["restore", "back", "--dry-run"])).exitCode).toBe(0);
});

describe("the hook at a session's end", () => {
  const lastRun = (time: number): void =>
    writeFileSync(
      join(root, "maintenance.json"),
      JSON.stringify({ version: 1, lastRun: time, over: 0, dropped: [], problems: ["before"] }),
    );

  test("starts it when the last run is a day ago, and does not wait for it", async () => {
    await session("cold", 8);
    await session("ending", 0);
    lastRun(Date.now() - day - 1);
    await world.hook("ending", "SessionEnd");
    // What the run found is the last thing that it writes.
    await untilFile(join(root, "maintenance.json"), (text) => text.includes('"problems":[]'));
    expect(isPacked("cold")).toBe(true);
  });

  test.each([
    ["the first day is counted from here", undefined, "SessionEnd"],
    ["not at other events", 3 * day, "Stop"],
  ])("%s", async (_why, age, event) => {
    await session("cold", 8);
    await session("ending", 0);
    const before = age === undefined ? 0 : Date.now() - age;
    if (age !== undefined) lastRun(before);
    world.grow("ending", 500, "last words");
    await world.hook("ending", event);
    expect(world.files.state("ending").count).toBe(2);
    if (age === undefined) expect(record().lastRun).toBeGreaterThan(Date.now() - day);
    else expect(record().lastRun).toBe(before);
    expect(isPacked("cold")).toBe(false);
  });
});

/** As a running claude names itself; this process is one that runs. */
function holdByClaude(sessionId: string): void {
  mkdirSync(join(world.home, ".claude/sessions"), { recursive: true });
  writeFileSync(
    join(world.home, `.claude/sessions/${process.pid}.json`),
    JSON.stringify({ pid: process.pid, sessionId }),
  );
}

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { backfill } from "../../../src/app/backfill/backfill.ts";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { executable } from "../../support/executable.ts";
import { until } from "../../support/until.ts";
import { setAge } from "../../support/worlds/age-snapshot.ts";
import { SearchWorld } from "../../support/worlds/search-world.ts";

setDefaultTimeout(120_000);

const dayMs = 86_400_000;
let world: SearchWorld;
beforeEach(() => (world = new SearchWorld()));
afterEach(() => world[Symbol.dispose]());

const idOf = (number: number): string => `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`;

/** Conversations of about `bytes` each; number n is n days old. */
function conversations(count: number, bytes = 20_000): string[] {
  return Array.from({ length: count }, (_, number) => {
    const id = idOf(number);
    world.say(id, [{ user: `task ${number}` }]);
    world.grow(id, bytes, `s${number}`);
    setAge(world.transcript(id), number * dayMs);
    return id;
  });
}

const saved = (): string[] => {
  const directory = join(world.files.root, "snapshots");
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(".state.json"))
    .map((name) => name.slice(0, -".state.json".length))
    .sort();
};

const isComplete = (id: string): boolean => world.files.mirror(id).equals(world.read(id));

test("saves every conversation and its side files, marked with the time of the conversation", async () => {
  const ids = conversations(5);
  world.sideFile(ids[1] ?? "", "subagents/agent-1.jsonl", '{"a":1}\n');
  const { exitCode, stderr } = await world.run(["backfill"]);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("saved 5 sessions")]);
  expect(saved()).toEqual(ids);
  expect(ids.filter(isComplete)).toEqual(ids);
  expect(existsSync(join(world.files.root, "snapshots/side-files", ids[1] ?? "", "subagents/agent-1.jsonl"))).toBe(
    true,
  );
  const [mark] = world.files.state(ids[3] ?? "").marks;
  expect(mark).toMatchObject({ n: 1, reason: "backfill" });
  expect(Math.abs(Date.now() - 3 * dayMs - (mark?.time ?? 0))).toBeLessThan(60_000);
  // The newest conversation stays the newest, however late it was saved.
  expect(world.files.latest().sessionId).toBe(ids[0] ?? "");
});

test("saves nothing twice, and later only what is new", async () => {
  const [id = ""] = conversations(3);
  await world.run(["backfill"]);
  const before = statSync(world.files.statePath(idOf(2))).mtimeMs;
  const again = await world.run(["backfill", "--json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ sessions: 0, saved: 0, bytes: 0 });
  world.say(id, [{ user: "more" }]);
  expect(JSON.parse((await world.run(["backfill", "--dry-run", "--json"])).stdout)).toMatchObject({ sessions: 1 });
  await world.run(["backfill"]);
  expect([isComplete(id), world.files.state(id).marks.length]).toEqual([true, 2]);
  expect(statSync(world.files.statePath(idOf(2))).mtimeMs).toBe(before);
});

test("stops at the disk cap with the newest saved, and says so", async () => {
  const ids = conversations(6, 100_000);
  world.env["SESSION_SNAPSHOT_MAX_DISK"] = "350000";
  const { exitCode, stderr } = await world.run(["backfill"]);
  expect(exitCode).toBe(3);
  expect(stderr).toContain("the disk cap was reached: 3 of 6 sessions are not saved");
  expect(saved()).toEqual(ids.slice(0, 3));
  expect((await world.run(["status"])).stdout).toContain(
    "3 of 6 conversations are not saved: the disk cap was reached",
  );
});

test("killed at any moment and started again, it ends with every conversation saved once", async () => {
  const ids = conversations(60, 30_000);
  for (let round = 0; round < 12; round++) {
    const run = Bun.spawn([executable, "session-snapshot", "backfill"], {
      env: world.env,
      stderr: "ignore",
      stdout: "ignore",
    });
    // A different moment in each round: as soon as a few more are saved.
    await until(() => saved().length >= round * 4 || run.exitCode !== null, "a few more snapshots");
    run.kill("SIGKILL");
    await run.exited;
  }
  if (saved().length < ids.length)
    expect((await world.run(["status"])).stdout).toMatch(/backfill interrupted after \d+ of \d+ conversations/);
  expect((await world.run(["backfill"])).exitCode).toBe(0);
  expect(saved()).toEqual(ids);
  expect(ids.filter(isComplete)).toEqual(ids);
  for (const id of ids) expect([world.files.state(id).generation, world.files.state(id).marks.length]).toEqual([1, 1]);
  expect(existsSync(join(world.files.root, "snapshots/generations"))).toBe(false);
});

test("hooks work while it runs, and neither loses anything", async () => {
  const ids = conversations(40, 60_000);
  const running = backfill(currentEnvironment(world.env), { isGentle: false });
  const hooked = ids.slice(-5);
  for (const id of hooked) {
    world.grow(id, 2_000, "later");
    await world.hook(id);
  }
  expect((await running)?.failed).toBe(0);
  await world.run(["backfill"]);
  expect(ids.filter(isComplete)).toEqual(ids);
  for (const id of ids) expect(world.files.state(id).past).toEqual([]);
});

test("one backfill runs at a time; another one shows its progress and its result", async () => {
  conversations(30, 200_000);
  const runs = await Promise.all([world.run(["backfill", "--json"]), world.run(["backfill", "--json"])]);
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const counts = runs.map(({ stdout }) => (JSON.parse(stdout) as { sessions: number }).sessions);
  expect(Math.max(...counts)).toBe(30);
  for (let number = 0; number < 30; number++) expect(world.files.state(idOf(number)).marks).toHaveLength(1);
});

test("install says how many conversations it saves and how old the oldest is, and saves them in the background", async () => {
  const ids = conversations(4);
  const dry = await world.run(["install", "--dry-run"]);
  expect(dry.stderr).toMatch(/would save 4 conversations \(\d+\.\d kB\) in the background; the oldest is 3d old/);
  expect(saved()).toEqual([]);
  const { exitCode, stderr } = await world.run(["install"]);
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/Saving 4 conversations .* the oldest is 3d old/)]);
  await until(() => JSON.parse(readRecord() ?? "{}").finishedAt > 0, "the end of the backfill");
  expect(ids.filter(isComplete)).toEqual(ids);
  await until(() => existsSync(world.index), "the index");
  expect((await world.run(["status"])).stdout).not.toContain("backfill ");
  expect((await world.run(["install"])).stderr).not.toContain("Saving");
});

test("install leaves old conversations alone when the user does not want it", async () => {
  conversations(2);
  world.env["SESSION_SNAPSHOT_BACKFILL"] = "off";
  const { stdout } = await world.run(["install", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ backfill: null });
  expect(saved()).toEqual([]);
});

test("maintenance continues a backfill that was killed", async () => {
  const ids = conversations(3);
  await world.run(["backfill"]);
  const record = JSON.parse(readRecord() ?? "") as object;
  await Bun.write(join(world.files.root, "backfill.json"), JSON.stringify({ ...record, finishedAt: null }));
  world.say(idOf(7), [{ user: "not saved yet" }]);
  expect((await world.run(["status"])).stdout).toContain("backfill interrupted");
  expect((await world.run(["maintain"])).exitCode).toBe(0);
  expect(saved()).toEqual([...ids, idOf(7)]);
});

function readRecord(): string | undefined {
  const path = join(world.files.root, "backfill.json");
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanSessions, planClean } from "../../../../src/app/maintenance/clean.ts";
import { currentEnvironment } from "../../../../src/app/environment.ts";
import { tryLock } from "../../../../src/store/lock.ts";
import { agedSession, ageSnapshot } from "../../../support/worlds/age-snapshot.ts";
import { HookWorld } from "../../../support/worlds/hook-world.ts";
import { answerQuestion } from "../../../support/terminal/answer-question.ts";

let world: HookWorld;
let root: string;

beforeEach(() => {
  world = new HookWorld();
  root = world.files.root;
});

afterEach(() => world[Symbol.dispose]());

const session = (id: string, days: number, bytes = 100_000): Promise<void> =>
  agedSession(world, id, days, { bytes, cwd: `/projects/${id}` });

/** Each session of this file has its own project, so a clean without a named session needs --all. */
const clean = (...words: string[]) => world.run(["clean", ...(words.includes("--session") ? [] : ["--all"]), ...words]);

/** Every file whose name contains the session id. */
function filesOf(id: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.includes(id));
}

/** The content of every file, to show that nothing was changed. */
/** Except the record of maintenance, which also runs with clean. */
function everything(): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith("maintenance."));
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [name, String(Bun.hash(readFileSync(join(parentPath, name))))]),
  );
}

describe("removes what is asked for", () => {
  beforeEach(async () => {
    await session("month-old", 31);
    await session("week-old", 8);
    await session("today", 0);
  });

  test("--dry-run prints exactly what would be removed, and changes nothing", async () => {
    const before = everything();
    const { exitCode, stdout, stderr } = await clean("--older-than", "30d", "--dry-run");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      expect.stringMatching(/^session +project +size +age$/),
      expect.stringMatching(/^month-old +\/projects\/month-old +10\d kB +31d$/),
    ]);
    expect(stdout).not.toContain("week-old");
    expect(everything()).toEqual(before);
  });

  test("--dry-run --json, for scripts", async () => {
    const { stdout } = await clean("--dry-run", "--json");
    const { sessions, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ dryRun: true, fileMarks: [], size: expect.any(Number), spared: [] });
    expect(sessions).toMatchObject([
      { session: "month-old", project: "/projects/month-old", live: false, onlyCopy: false, backups: 0 },
      { session: "week-old" },
      { session: "today" },
    ]);
    expect(sessions[0].ageSeconds).toBeGreaterThanOrEqual(31 * 86_400);
  });

  test("--older-than removes only old snapshots, and prints the freed space", async () => {
    const { exitCode, stdout, stderr } = await clean("--older-than", "30d", "--yes");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).toMatch(/Removed 1 snapshot, no backups: 10\d kB freed, verified\./);
    expect(filesOf("month-old")).toEqual([]);
    expect(existsSync(world.transcript("month-old"))).toBe(true);
    expect(filesOf("week-old").length).toBeGreaterThan(0);
    // Maintenance packs the remaining cold snapshot.
    expect(stderr).toContain("Compressed 1 old snapshot:");
    expect(existsSync(`${world.files.mirrorPath("week-old")}.zst`)).toBe(true);
  });

  test("removes everything except sessions of a running claude, and --json reports it", async () => {
    holdByRunningClaude("today");
    const before = filesOf("old").length;
    expect(before).toBeGreaterThan(3);
    const { exitCode, stdout } = await clean("--yes", "--json");
    expect(exitCode).toBe(0);
    const result = JSON.parse(stdout);
    expect(result.sessions.map((each: { session: string }) => each.session)).toEqual(["month-old", "week-old"]);
    expect(result).toMatchObject({ dryRun: false, freed: result.size, failed: [], maintenance: { dropped: [] } });
    expect(filesOf("old")).toEqual([]);
    expect(world.files.mirror("today").equals(world.read("today"))).toBe(true);
  });

  test("--session accepts an id prefix, and both filters apply", async () => {
    expect((await clean("--session", "week", "--older-than", "30d", "--yes")).exitCode).toBe(4);
    expect((await clean("--session", "week", "--older-than", "1w", "--yes")).exitCode).toBe(0);
    expect(filesOf("week-old")).toEqual([]);
    expect(filesOf("month-old").length).toBeGreaterThan(0);
  });

  test("does not remove a session whose id starts with the removed one", async () => {
    for (const id of ["one", "one-more"]) {
      await session(id, 0);
      world.overwrite(id, "");
      world.grow(id, 50_000, "another beginning");
      await world.hook(id);
    }
    const others = filesOf("one-more");
    expect(others.some((name) => name.includes("generations/"))).toBe(true);
    expect((await clean("--session", "one", "--yes")).exitCode).toBe(0);
    expect(filesOf("one")).toEqual(others);
  });

  test("latest.json points to the newest remaining session", async () => {
    expect(world.files.latest().sessionId).toBe("today");
    const maintenance = tryLock(join(root, "maintenance.lock"));
    if (!maintenance) throw new Error("it is locked");
    await clean("--session", "today", "--yes");
    maintenance.release();
    expect(world.files.latest()).toMatchObject({ sessionId: "week-old", jsonlPath: world.transcript("week-old") });
    expect(existsSync(world.files.latest().snapshotPath)).toBe(true);
    await clean("--yes");
    expect(existsSync(join(root, "snapshots/latest.json"))).toBe(false);
  });
});

function holdByRunningClaude(sessionId: string): void {
  mkdirSync(join(world.home, ".claude/sessions"), { recursive: true });
  const claude = JSON.stringify({ pid: process.pid, sessionId });
  writeFileSync(join(world.home, `.claude/sessions/${process.pid}.json`), claude);
}

describe("without --all and --session", () => {
  beforeEach(async () => {
    await session("other-project", 40);
    world.grow("here", 1_000);
    await world.hook("here", "Stop", { cwd: world.home });
  });

  test("removes only the snapshots of this directory", async () => {
    expect((await world.run(["clean", "--yes"])).exitCode).toBe(0);
    expect(filesOf("here")).toEqual([]);
    expect(world.files.state("other-project").count).toBe(1);
  });

  test("finds nothing when the matching snapshots belong to other directories, and names --all", async () => {
    expect(await world.run(["clean", "--older-than", "30d", "--yes"])).toEqual({
      exitCode: 4,
      stdout: "",
      stderr: expect.stringMatching(/no snapshot of this directory to remove\n--all looks at all projects/),
    });
    expect(world.files.state("other-project").count).toBe(1);
    expect(world.files.state("here").count).toBe(1);
  });
});

describe("refuses", () => {
  test.each<[string, string[], number, RegExp]>([
    ["no terminal to ask on", [], 2, /without a terminal it needs --yes\n.*--dry-run/],
    ["no terminal to ask on, as JSON", ["--json"], 2, /"kind":"usage"/],
    ["an invalid duration", ["--older-than", "soon", "--yes"], 2, /"soon" is not a duration/],
    ["an unknown session", ["--session", "unknown", "--yes"], 4, /no snapshot of a session "unknown"/],
    ["--all together with a session", ["--all", "--session", "some", "--yes"], 2, /--session or --all, not both/],
    ["an invalid session id", ["--session", "../x", "--yes"], 2, /not a session id/],
    ["no snapshot of that age", ["--older-than", "2w", "--yes"], 4, /no snapshot to remove/],
    ["no snapshot of that age, with --dry-run", ["--older-than", "2w", "--dry-run"], 4, /no snapshot to remove/],
  ])("%s", async (_what, words, exitCode, message) => {
    await session("some", 8);
    const before = everything();
    const result = await clean(...words);
    expect(result).toEqual({ exitCode, stdout: "", stderr: expect.stringMatching(message) });
    expect(everything()).toEqual(before);
  });

  test("a session of a running claude, unless it is named and --yes is given", async () => {
    await session("held", 90);
    holdByRunningClaude("held");
    const before = everything();
    expect(await clean("--yes")).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining("skipped 1 snapshot in use"),
    });
    expect(await clean("--session", "held", "--dry-run")).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining("session-snapshot clean --session held --yes"),
    });
    expect(everything()).toEqual(before);
    expect(await clean("--session", "held", "--yes")).toMatchObject({ exitCode: 0 });
    expect(filesOf("held")).toEqual([]);
  });

  test("a session that claude started to use before the user confirmed", async () => {
    await session("again", 20);
    const environment = currentEnvironment(world.env);
    const plan = planClean(environment, { all: true, yes: true });
    expect(plan.items.map(({ sessionId }) => sessionId)).toEqual(["again"]);
    holdByRunningClaude("again");
    const before = everything();
    expect(await cleanSessions(environment, plan)).toMatchObject({
      removed: [],
      failed: [{ sessionId: "again", why: `a running claude (process ${process.pid}) has opened it since` }],
    });
    expect(everything()).toMatchObject(before);
  });

  test("keeps a locked session, removes the others, and exits with 3", async () => {
    await session("busy", 20);
    await session("free", 20);
    const lock = tryLock(join(root, "locks/busy.lock"));
    if (!lock) throw new Error("it is locked");
    const { exitCode, stderr } = await clean("--yes");
    lock.release();
    expect(exitCode).toBe(3);
    expect(stderr).toContain("busy was not removed: another command is working on it");
    expect(filesOf("free")).toEqual([]);
    expect(world.files.state("busy").count).toBe(1);
  });
});

test("removes backups, past generations and side files with the session, and says so", async () => {
  const id = "rich";
  const side = join(world.project, id, "tool-results");
  mkdirSync(side, { recursive: true });
  writeFileSync(join(side, "1.txt"), "a long result");
  await session(id, 0);
  world.grow(id, 90_000, "more");
  await world.hook(id);
  await world.run(["restore", id, "--to", "1"]);
  world.overwrite(id, "");
  world.grow(id, 1_000, "rewritten");
  await world.hook(id);
  ageSnapshot(root, id, 40);
  const { stdout } = await clean("--dry-run");
  expect(stdout).toContain("with 1 backup, which undo would need");
  rmSync(world.transcript(id));
  expect((await clean("--dry-run")).stdout).toContain("only copy");
  const { exitCode, stderr } = await clean("--yes");
  expect(exitCode).toBe(0);
  expect(stderr).toContain("Removed 1 snapshot, with 1 backup, which undo would need:");
  expect(filesOf(id)).toEqual([]);
  expect((await world.run(["undo"])).exitCode).toBe(4);
  expect((await world.run(["list", id])).exitCode).toBe(4);
});

describe.skipIf(process.platform === "win32")("on a terminal it asks first", () => {
  test.each([
    ["keeps everything after no", "n", 130, true],
    ["removes after yes", "y", 0, false],
  ])("%s", async (_what, key, exitCode, stays) => {
    await session("asked", 20);
    const asking = { env: world.env, cwd: world.home, question: "Remove 1 snapshot?", answer: key };
    const asked = await answerQuestion(["session-snapshot", "clean", "--all"], asking);
    const { screen } = asked;
    expect([asked.exitCode, screen]).toEqual([exitCode, screen]);
    expect(screen).toContain("/projects/asked");
    expect(filesOf("asked").length > 0).toBe(stays);
    expect(screen).toContain(stays ? "Nothing was removed." : "freed, verified.");
  });
});

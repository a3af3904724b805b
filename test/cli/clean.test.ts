import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanSessions, planClean } from "../../src/app/clean.ts";
import { currentEnvironment } from "../../src/app/environment.ts";
import { tryLock } from "../../src/store/lock.ts";
import { ageSnapshot } from "../support/age-snapshot.ts";
import { executable } from "../support/executable.ts";
import { HookWorld } from "../support/hook-world.ts";

setDefaultTimeout(60_000);

let world: HookWorld;
let root: string;

beforeEach(() => {
  world = new HookWorld();
  root = world.files.root;
});

afterEach(() => world[Symbol.dispose]());

async function session(id: string, days: number, bytes = 100_000): Promise<void> {
  world.grow(id, bytes, id);
  await world.hook(id, "Stop", { cwd: `/projects/${id}` });
  ageSnapshot(root, id, days);
}

const clean = (...words: string[]) => world.run(["clean", ...words]);

/** Everything on disk that bears the session's name. */
function filesOf(id: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.includes(id));
}

/** All bytes of everything, for "nothing was changed". */
/** But for the record of maintenance, which runs whenever clean does. */
function everything(): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith("maintenance."));
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [name, String(Bun.hash(readFileSync(join(parentPath, name))))]),
  );
}

describe("what is asked for", () => {
  beforeEach(async () => {
    await session("month-old", 31);
    await session("week-old", 8);
    await session("today", 0);
  });

  test("--dry-run prints exactly what would go, and changes nothing", async () => {
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
    expect(rest).toEqual({ dryRun: true, size: expect.any(Number), spared: [] });
    expect(sessions).toMatchObject([
      { session: "month-old", project: "/projects/month-old", live: false, onlyCopy: false, backups: 0 },
      { session: "week-old" },
      { session: "today" },
    ]);
    expect(sessions[0].ageSeconds).toBeGreaterThanOrEqual(31 * 86_400);
  });

  test("--older-than removes those alone, and says how much it freed", async () => {
    const { exitCode, stdout, stderr } = await clean("--older-than", "30d", "--yes");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).toMatch(/Removed 1 snapshot, no backups: 10\d kB freed, verified\./);
    expect(filesOf("month-old")).toEqual([]);
    expect(existsSync(world.transcript("month-old"))).toBe(true);
    expect(filesOf("week-old").length).toBeGreaterThan(0);
    // As always, what is cold and stays is packed.
    expect(stderr).toContain("Compressed 1 that had not been used for long");
    expect(existsSync(`${world.files.mirrorPath("week-old")}.zst`)).toBe(true);
  });

  test("without a choice it removes all but what a running claude holds, and --json tells what it did", async () => {
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

  test("--session takes the beginning of an id, and both choices must hold", async () => {
    expect((await clean("--session", "week", "--older-than", "30d", "--yes")).exitCode).toBe(4);
    expect((await clean("--session", "week", "--older-than", "1w", "--yes")).exitCode).toBe(0);
    expect(filesOf("week-old")).toEqual([]);
    expect(filesOf("month-old").length).toBeGreaterThan(0);
  });

  test("one whose id begins another's takes nothing of that one along", async () => {
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

  test("latest.json names the newest that is left", async () => {
    expect(world.files.latest().sessionId).toBe("today");
    const maintenance = tryLock(join(root, "maintenance.lock"));
    if (maintenance === "busy") throw new Error("it is locked");
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

describe("what is refused", () => {
  test.each<[string, string[], number, RegExp]>([
    ["nobody to ask", [], 2, /without a terminal to ask on it needs --yes\n.*--dry-run/],
    ["nobody to ask, as JSON", ["--json"], 2, /"kind":"usage"/],
    ["no such length of time", ["--older-than", "soon", "--yes"], 2, /"soon" is no length of time/],
    ["no such session", ["--session", "nobody", "--yes"], 4, /no snapshot of a session "nobody"/],
    ["a session id that is none", ["--session", "../x", "--yes"], 2, /not a session id/],
    ["nothing that old", ["--older-than", "2w", "--yes"], 4, /no snapshot to remove/],
    ["nothing that old, to look at", ["--older-than", "2w", "--dry-run"], 4, /no snapshot to remove/],
  ])("%s", async (_what, words, exitCode, message) => {
    await session("some", 8);
    const before = everything();
    const result = await clean(...words);
    expect(result).toEqual({ exitCode, stdout: "", stderr: expect.stringMatching(message) });
    expect(everything()).toEqual(before);
  });

  test("one that a running claude holds, unless it is named and --yes is given", async () => {
    await session("held", 90);
    holdByRunningClaude("held");
    const before = everything();
    expect(await clean("--yes")).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining("a running claude holds 1 snapshot, left alone"),
    });
    expect(await clean("--session", "held", "--dry-run")).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining("session-snapshot clean --session held --yes"),
    });
    expect(everything()).toEqual(before);
    expect(await clean("--session", "held", "--yes")).toMatchObject({ exitCode: 0 });
    expect(filesOf("held")).toEqual([]);
  });

  test("one that a claude has taken up while the user thought about it", async () => {
    await session("again", 20);
    const environment = currentEnvironment(world.env);
    const plan = planClean(environment, { yes: true });
    expect(plan.items.map(({ sessionId }) => sessionId)).toEqual(["again"]);
    holdByRunningClaude("again");
    const before = everything();
    expect(await cleanSessions(environment, plan)).toMatchObject({
      removed: [],
      failed: [{ sessionId: "again", why: "a running claude holds it again" }],
    });
    expect(everything()).toMatchObject(before);
  });

  test("one that somebody works on stays, the others go, and the exit code says so", async () => {
    await session("busy", 20);
    await session("free", 20);
    const lock = tryLock(join(root, "locks/busy.lock"));
    if (lock === "busy") throw new Error("it is locked");
    const { exitCode, stderr } = await clean("--yes");
    lock.release();
    expect(exitCode).toBe(3);
    expect(stderr).toContain("busy was not removed: another command is working on it");
    expect(filesOf("free")).toEqual([]);
    expect(world.files.state("busy").count).toBe(1);
  });
});

test("backups, past generations and side files go with the session, and the message says so", async () => {
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
    ["no is no", "n", 130, true],
    ["yes is yes", "y", 0, false],
  ])("%s", async (_what, key, exitCode, stays) => {
    await session("asked", 20);
    let screen = "";
    let answered = false;
    const child = Bun.spawn([executable, "session-snapshot", "clean"], {
      env: { ...world.env, TERM: "xterm" },
      cwd: world.home,
      terminal: {
        cols: 120,
        rows: 40,
        data: (terminal, bytes) => {
          screen += new TextDecoder().decode(bytes);
          if (answered || !screen.includes("Remove 1 snapshot?")) return;
          answered = true;
          terminal.write(`${key}\r`);
        },
      },
    });
    expect([await child.exited, screen]).toEqual([exitCode, screen]);
    expect(screen).toContain("/projects/asked");
    expect(filesOf("asked").length > 0).toBe(stays);
    expect(screen).toContain(stays ? "Nothing was removed." : "freed, verified.");
  });
});

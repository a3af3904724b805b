// The index is a cache: whatever happens to it, a search answers, or says why it cannot.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { search } from "../../../src/app/search/search.ts";
import { executable } from "../../support/executable.ts";
import { SearchWorld } from "../../support/worlds/search-world.ts";

setDefaultTimeout(120_000);

const id = "11111111-1111-4111-8111-111111111111";
let world: SearchWorld;

beforeEach(async () => {
  world = new SearchWorld();
  world.say(id, [
    { user: "the heron" },
    ...Array.from({ length: 200 }, (_, n) => ({ claude: `step number${n} ${"word ".repeat(50)}` })),
  ]);
  await world.search("heron");
});
afterEach(() => world[Symbol.dispose]());

/** The search finds the text, silently, and the index is in use again. */
async function expectRecovery(): Promise<void> {
  const { exitCode, stdout, stderr } = await world.run(["search", "heron"]);
  expect([exitCode, stderr, stdout.includes("the heron")]).toEqual([0, "", true]);
  const index = new Database(world.index, { readonly: true });
  expect(index.query("SELECT count(*) AS count FROM sources").get()).toEqual({ count: 1 });
  index.close();
}

test("a deleted index is built again", async () => {
  rmSync(world.index);
  await expectRecovery();
});

test("an index that is no database is built again, silently", async () => {
  await Bun.write(world.index, "garbage ".repeat(1_000));
  await expectRecovery();
});

test("a truncated index is built again, silently", async () => {
  truncateSync(world.index, Math.floor(statSync(world.index).size / 2));
  await expectRecovery();
});

test("an index with damaged pages is built again, silently", async () => {
  const { size } = statSync(world.index);
  const file = openSync(world.index, "r+");
  for (let at = 4_096; at < size; at += 4_096) writeSync(file, Buffer.alloc(3_000, 0xa5), 0, 3_000, at);
  closeSync(file);
  await expectRecovery();
});

test("a single damaged page, wherever it is, does not keep a search from its answer", async () => {
  const environment = currentEnvironment(world.env);
  const whole = readFileSync(world.index);
  const pageBytes = 4_096;
  const pages = Math.floor(whole.length / pageBytes);
  expect(pages).toBeGreaterThan(8);
  for (let page = 1; page < pages; page++) {
    writeFileSync(world.index, Buffer.from(whole).fill(0xa5, page * pageBytes, (page + 1) * pageBytes));
    const { results } = await search(environment, { words: "number199", limit: 3 });
    expect([page, results.length]).toEqual([page, 1]);
  }
});

test("an empty index is filled", async () => {
  truncateSync(world.index, 0);
  await expectRecovery();
});

test("the index of a newer version is left alone, and the search says that it does without", async () => {
  const index = new Database(world.index);
  index.run("PRAGMA user_version = 99");
  index.close();
  const before = readFileSync(world.index);
  const { exitCode, stdout, stderr } = await world.run(["search", "heron"]);
  expect([exitCode, stdout.includes("the heron")]).toEqual([0, true]);
  expect(stderr).toContain("a newer version wrote the index");
  expect(readFileSync(world.index).equals(before)).toBe(true);
});

test("with an index that cannot be written, the search answers and says why", async () => {
  // Root writes everywhere, but not into a directory.
  rmSync(world.index);
  await Bun.$`mkdir ${world.index}`.quiet();
  const { exitCode, stdout, stderr } = await world.run(["search", "heron"]);
  expect([exitCode, stdout.includes("the heron")]).toEqual([0, true]);
  expect(stderr).toMatch(/searching without .*index\.sqlite, which takes longer: /);
});

test("a file-size limit while indexing: the old index answers, and the search says what may be missing", async () => {
  world.say(id, [{ claude: `the egret ${Array.from({ length: 60_000 }, (_, n) => `term${n}x${n * 7}`).join(" ")}` }]);
  const script = `ulimit -f 200; trap '' XFSZ; exec ${executable} session-snapshot search heron`;
  const run = Bun.spawnSync(["sh", "-c", script], { env: world.env, cwd: world.home });
  expect([run.exitCode, run.stdout.toString().includes("the heron")]).toEqual([0, true]);
  expect(run.stderr.toString()).toMatch(/the index could not be updated \(.*\): the newest text may be missing/);
  expect(await world.search("egret")).toHaveLength(1);
});

test("a kill while indexing loses nothing", async () => {
  const target = "22222222-2222-4222-8222-222222222222";
  world.say(target, [
    { user: "the egret" },
    ...Array.from({ length: 4_000 }, (_, n) => ({ claude: `egret${n} ${"more ".repeat(300)}` })),
  ]);
  for (const pause of [30, 60, 90, 120, 200, 300]) {
    const run = Bun.spawn([executable, "session-snapshot", "search", "heron"], {
      env: world.env,
      cwd: world.home,
      stderr: "ignore",
      stdout: "ignore",
    });
    // The moment of the kill is the input of this test, not a wait for something: every moment must do.
    await Bun.sleep(pause);
    run.kill("SIGKILL");
    await run.exited;
  }
  const hits = await world.search("egret3999");
  expect(hits.map(({ session }) => session)).toEqual([target]);
  expect(await world.search("egret")).toHaveLength(1);
});

test("two searches and an indexing at once: all of them answer", async () => {
  for (let n = 0; n < 20; n++) {
    const session = `3333333${n % 10}-3333-4333-8333-3333333333${String(n).padStart(2, "0")}`;
    world.say(
      session,
      Array.from({ length: 300 }, (_, k) => ({ claude: `heron${n}x${k} ${"more ".repeat(200)}` })),
    );
  }
  const runs = [
    world.run(["maintain"]),
    world.run(["search", "heron"]),
    world.run(["search", "heron19x299"]),
    world.run(["search", "heron"]),
  ];
  const results = await Promise.all(runs);
  expect(results.map(({ exitCode }) => exitCode).filter((code) => code !== 0 && code !== 4)).toEqual([]);
  for (const { stderr } of results) expect(stderr).not.toContain("SQL");
  expect(results[1]?.stdout).toContain("the heron");
  expect(await world.search("heron19x299")).toHaveLength(1);
});

const hostileQueries: string[][] = [
  ['"'],
  ['"""', "x"],
  ["heron", "AND", "OR", "NOT"],
  ["NEAR(heron,", "5)"],
  ["{heron}:", "^heron"],
  ["heron'; DROP TABLE sources; --"],
  ["heron*", "***"],
  [`heron ${"x".repeat(10_000)}`],
  [`heron ${"word ".repeat(2_000)}`],
  ["heron\u0001\u0002\u001b[31m\u007f"],
  ["-heron"],
  ["--", "--heron"],
  ["\u{10ffff}\ufeff"],
];

test("hostile queries neither fail nor show an error of SQLite", async () => {
  for (const words of hostileQueries) {
    const { exitCode, stderr } = await world.run(["search", ...words]);
    expect([words, [0, 2, 4].includes(exitCode ?? -1)]).toEqual([words, true]);
    expect(stderr).not.toMatch(/sqlite|fts5|syntax error|malformed/i);
    if (exitCode === 2) expect(stderr).toContain("there is no word to search for");
  }
});

test("the index holds words, no sentences, in private files", async () => {
  world.say(id, [{ user: "a sentence that stands nowhere else" }]);
  await world.search("sentence");
  expect(readFileSync(world.index, "latin1")).not.toContain("a sentence that stands");
  for (const name of ["index.sqlite", "index.lock"])
    expect(statSync(join(world.files.root, name)).mode & 0o077).toBe(0);
});

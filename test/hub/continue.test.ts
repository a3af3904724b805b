// A session that moves between machines: one writer, nothing lost.
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentEnvironment } from "../../src/app/environment.ts";
import { withHub } from "../../src/app/hub/open-hub.ts";
import { commit } from "../../src/hub/subjects.ts";
import { Workstation } from "../support/hub/moving-session.ts";
import type { TestPostgres } from "../support/hub/postgres.ts";
import { sharedPostgres, startTimeoutMs } from "../support/hub/shared-postgres.ts";
import { readFromHub } from "../support/hub/read-hub.ts";

let postgres: TestPostgres;
beforeAll(async () => void (postgres = await sharedPostgres()), startTimeoutMs);

const session = "11111111-2222-4333-8444-555555555555";

async function twoMachines(): Promise<{ a: Workstation; b: Workstation; database: string } & Disposable> {
  const a = new Workstation("a");
  const b = new Workstation("b");
  const url = await postgres.createDatabase();
  await b.join(await a.init(url));
  const end = (): void => [a, b].forEach((each) => each[Symbol.dispose]());
  return { a, b, database: new URL(url).pathname.slice(1), [Symbol.dispose]: end };
}

describe("moves", () => {
  test("from A to B and back, with the whole conversation and the files", async () => {
    using world = await twoMachines();
    const { a, b } = world;
    await a.turn(session, "one");
    await a.sync();
    const there = await b.cclaude(["--resume", session]);
    expect(there).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("continues from") });
    expect(b.started()).toHaveLength(1);
    expect(b.started()[0]).toStartWith(`${b.checkout} `);
    expect(b.started()[0]).toEndWith(` --resume ${session}`);
    expect(b.words(session)).toEqual(["one", "one"]);
    expect(readFileSync(join(b.checkout, "cart.txt"), "utf8")).toBe("one");
    await b.turn(session, "two");
    await b.sync();
    expect(await a.cclaude(["-c"])).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("continues from") });
    expect(a.words(session)).toEqual(["one", "one", "two", "two"]);
    expect(readFileSync(join(a.checkout, "cart.txt"), "utf8")).toBe("two");
    await a.turn(session, "three");
    await a.sync();
    // The whole way in one stream: nothing was sent twice.
    const inHub = await readFromHub(a, session);
    expect(inHub).toMatchObject({ fence: 3, holder: a.config().machine });
    expect(inHub?.contents.get("mirror/1")?.toString()).toBe(readFileSync(a.transcriptHere(session), "utf8"));
    expect(inHub?.manifest.items.filter(({ name }) => name.startsWith("mirror/"))).toHaveLength(1);
  });

  test("into a new directory, with hub list to find it", async () => {
    using world = await twoMachines();
    const { a, b } = world;
    await a.turn(session, "one");
    await a.sync();
    const { sessions } = JSON.parse((await b.succeed(["hub", "list", "--json"])).stdout);
    expect(sessions).toMatchObject([{ id: session, directory: a.checkout, held: false, isThisMachine: false }]);
    const into = join(b.home, "elsewhere");
    await b.succeed(["hub", "fetch", session.slice(0, 8), "--into", into]);
    expect(readFileSync(join(into, "cart.txt"), "utf8")).toBe("one");
    const resumed = await b.cclaude(["--resume", session], into);
    expect(resumed.exitCode).toBe(0);
  });

  test("refuses a directory that is not the project, and names what to do", async () => {
    using world = await twoMachines();
    const { a, b } = world;
    await a.turn(session, "one");
    await a.sync();
    const other = join(b.home, "other");
    mkdirSync(other);
    const refused = await b.cclaude(["--resume", session], other);
    expect(refused).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("hub fetch") });
    expect(b.started()).toEqual([]);
    expect(existsSync(b.transcriptHere(session))).toBe(false);
  });
});

describe("one writer", () => {
  test("a session that is open on A is refused on B until its lease has ended", async () => {
    using world = await twoMachines();
    const { a, b, database } = world;
    await a.turn(session, "one");
    await a.sync();
    await postgres.query(
      "UPDATE ai_runtime.subject SET leased_until = now() + interval '25 s' WHERE kind = 'session'",
      database,
    );
    const refused = await b.cclaude(["--resume", session]);
    expect(refused).toMatchObject({
      exitCode: 5,
      stderr: expect.stringMatching(/is open on .*\n.*lease has ended \(in 2\d s/),
    });
    expect(b.started()).toEqual([]);
    await postgres.query("UPDATE ai_runtime.subject SET leased_until = now()", database);
    expect(await b.cclaude(["--resume", session])).toMatchObject({ exitCode: 0 });
  });

  test("-c passes over a conversation that is open on another machine", async () => {
    using world = await twoMachines();
    const { a, b, database } = world;
    const own = "22222222-2222-4333-8444-555555555555";
    await b.turn(own, "mine");
    await b.sync();
    await a.turn(session, "one");
    await a.sync();
    await postgres.query(
      `UPDATE ai_runtime.subject SET leased_until = now() + interval '60 s' WHERE id = '${session}'`,
      database,
    );
    expect(await b.cclaude(["-c"])).toMatchObject({ exitCode: 0 });
    expect(existsSync(b.transcriptHere(session))).toBe(false);
    await postgres.query("UPDATE ai_runtime.subject SET leased_until = now()", database);
    expect(await b.cclaude(["-c"])).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("continues from") });
    expect(b.words(session)).toEqual(["one", "one"]);
  });

  test("A comes back with a tail of its own: it cannot write, says so, and keeps the tail as a generation", async () => {
    using world = await twoMachines();
    const { a, b, database } = world;
    await a.turn(session, "one");
    await a.sync();
    await b.cclaude(["--resume", session]);
    await b.turn(session, "from b");
    await b.sync();
    const before = await readFromHub(b, session);
    await a.turn(session, "from a");
    const sync = await a.hub(["sync"]);
    expect(sync.stderr).toContain("was continued on another machine");
    expect((await a.hub(["status"])).stderr).toContain("was continued on another machine");
    expect(await readFromHub(b, session)).toEqual(before);
    const back = await a.cclaude(["--resume", session]);
    expect(back).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("is kept: session-snapshot list") });
    expect(a.words(session)).toEqual(["one", "one", "from b", "from b"]);
    expect(a.files.pastMirror(session, 1).toString()).toContain("from a");
    const { marks } = JSON.parse((await a.run(["list", session, "--json"])).stdout) as { marks: unknown[] };
    expect(marks.length).toBeGreaterThan(1);
    // The tail reaches the hub as a generation, too.
    await a.turn(session, "together");
    await a.sync();
    const after = await readFromHub(a, session);
    expect([...(after?.contents.values() ?? [])].some((bytes) => bytes.includes("from a"))).toBe(true);
    const takes = await postgres.query("SELECT fence FROM ai_runtime.journal WHERE what = 'take' ORDER BY n", database);
    expect(takes).toHaveLength(2);
  });

  test("a write that began before another machine took over changes nothing", async () => {
    using world = await twoMachines();
    const { a, b } = world;
    await a.turn(session, "one");
    await a.sync();
    const write = (expected: { seq: number; fence: number }): Promise<string> =>
      withHub(currentEnvironment(a.env), ({ connection, config }) => {
        const bytes = Buffer.from("late");
        const chunk = { stream: "late", start: 0, length: 4, link: "00", content: bytes };
        const what = { id: session, kind: "session", machine: config.machine, manifest: bytes, label: bytes, bytes: 4 };
        return commit(connection, { ...what, expected, tags: [], chunks: [chunk], leaseSeconds: 0 });
      });
    const before = await readFromHub(a, session);
    const seen = { seq: before?.seq ?? 0, fence: before?.fence ?? 0 };
    expect((await b.cclaude(["--resume", session])).exitCode).toBe(0);
    const taken = await readFromHub(b, session);
    expect(taken).toMatchObject({ seq: seen.seq, fence: seen.fence + 1 });
    expect(await write(seen)).toBe("fenced");
    // Not even with the new number: A is not the writer.
    expect(await write({ ...seen, fence: seen.fence + 1 })).toBe("fenced");
    expect(await readFromHub(b, session)).toEqual(taken);
  });

  test("two machines that take it at the same moment: one gets it", async () => {
    using world = await twoMachines();
    const { a, b } = world;
    using c = new Workstation("c");
    const line = (await a.hub(["init", a.config().url])).stdout.trim();
    await c.join(line);
    await a.turn(session, "one");
    await a.sync();
    const results = await Promise.all([b, c].map((each) => each.cclaude(["--resume", session])));
    expect(results.map(({ exitCode }) => exitCode).sort()).toEqual([0, 5]);
    expect([...b.started(), ...c.started()]).toHaveLength(1);
  });
});

test("every command of the hub prints one JSON value with --json, and nothing on stderr", async () => {
  using a = new Workstation("a");
  using b = new Workstation("b");
  const json = async (machine: Workstation, words: string[], stdin = ""): Promise<Record<string, unknown>> => {
    const { exitCode, stdout, stderr } = await machine.hub([...words, "--json"], stdin);
    expect([words, exitCode, stderr]).toEqual([words, 0, ""]);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const { line } = await json(a, ["init", await postgres.createDatabase()]);
  expect(await json(b, ["join"], String(line))).toMatchObject({ machine: b.config().machine });
  await a.turn(session, "one");
  expect(await json(a, ["sync"])).toMatchObject({ sent: 2, problems: [] });
  expect(await json(b, ["list"])).toMatchObject({ sessions: [{ id: session }] });
  expect(await json(b, ["fetch", session, "--into", b.checkout])).toMatchObject({ kind: "new", files: 1 });
  expect(await json(b, ["status"])).toMatchObject({ sessions: 1, machines: [{}, {}], lag: { diverged: [] } });
  expect(await json(b, ["clean", "--session", session, "--dry-run"])).toMatchObject({
    sessions: [{ id: session }],
    removed: 0,
  });
  expect(await json(b, ["clean", "--session", session, "--yes"])).toMatchObject({ removed: 1 });
  expect(await json(b, ["list"])).toEqual({ sessions: [] });
  expect(await json(b, ["leave"])).toEqual({ left: true, hubKnows: true });
});

describe("without the hub", () => {
  test("a session that this machine has continues with its own copy; any other is refused in words", async () => {
    using world = await twoMachines();
    const { a, b } = world;
    await a.turn(session, "one");
    await a.sync();
    for (const machine of [a, b]) {
      writeFileSync(machine.configPath, JSON.stringify({ ...machine.config(), url: "postgres://me@127.0.0.1:1/x" }));
    }
    const own = await a.cclaude(["--resume", session]);
    expect(own).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("continuing with the copy of this machine"),
    });
    // Neither does a broken configuration stop claude.
    writeFileSync(a.configPath, "{");
    expect((await a.cclaude(["--resume", session])).exitCode).toBe(0);
    const foreign = await b.cclaude(["--resume", session]);
    expect(foreign).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("cannot be reached") });
    expect(b.started()).toEqual([]);
  });
});

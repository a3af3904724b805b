// The queue of the fleet in the database: claims, leases, order, stops, and what the database can read.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { currentEnvironment } from "../../src/app/environment.ts";
import { type Hub, openHub } from "../../src/app/hub/open-hub.ts";
import {
  type Claimant,
  claimFleetRun,
  finishFleetRun,
  type FleetRow,
  type Held,
  insertFleetRun,
  readFleetRun,
  releaseFleetRun,
  renewFleetRuns,
  stopFleetRun,
} from "../../src/hub/fleet-runs.ts";
import { tellAccount } from "../../src/hub/fleet-workers.ts";
import { HubMachine } from "../support/hub/machine.ts";
import type { TestPostgres } from "../support/hub/postgres.ts";
import { HubProxy } from "../support/hub/proxy.ts";
import { sharedPostgres, startTimeoutMs } from "../support/hub/shared-postgres.ts";

/** `bun run test:hub` crashes the server at every statement; `npm test` at a few of them. */
const inFull = process.env["HUB"] === "full";
if (inFull) setDefaultTimeout(1_800_000);

let postgres: TestPostgres;
let proxy: HubProxy;
let machine: HubMachine;
let hub: Hub;
let database: string;
beforeAll(async () => {
  postgres = await sharedPostgres();
  proxy = await HubProxy.start(postgres.port);
  machine = new HubMachine();
  const url = await postgres.createDatabase();
  database = new URL(url).pathname.slice(1);
  await machine.init(proxy.through(url));
  hub = await openHub(currentEnvironment(machine.env));
}, startTimeoutMs);
afterAll(async () => {
  await hub?.connection.close();
  proxy?.[Symbol.dispose]();
  machine?.[Symbol.dispose]();
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const query = <Row>(text: string): Promise<Row[]> => postgres.query<Row>(text, database);

let runs = 0;
async function add(
  more: { priority?: number; delayMs?: number; labels?: string[]; grants?: number } = {},
): Promise<string> {
  const id = `20261118-08${String(++runs).padStart(4, "0")}-abcd`;
  const { priority = 0, delayMs = 0, labels = [], grants = 0 } = more;
  const tags = labels.map((label) => hub.sealer.tag(label));
  const row = { id, session: crypto.randomUUID(), grants, labels: tags, priority, delayMs, task: bytes("sealed") };
  await insertFleetRun(hub.connection, row);
  return id;
}

function claimant(more: { account?: string; labels?: string[]; grants?: number } = {}): Claimant {
  const { account = "one", labels = [], grants = 2 } = more;
  return {
    worker: crypto.randomUUID(),
    machine: hub.config.machine,
    account: hub.sealer.tag(account),
    labels: labels.map((label) => hub.sealer.tag(label)),
    grants,
    leaseSeconds: 15,
  };
}

const claim = (by: Claimant = claimant()): Promise<FleetRow | undefined> => claimFleetRun(hub.connection, by);
const heldBy = (row: FleetRow | undefined): Held => ({
  id: row?.id ?? "",
  fence: row?.fence ?? 0,
  worker: row?.worker ?? "",
});
const release = { state: "waiting", delayMs: 3_600_000, failures: 0, outcome: bytes("x") } as const;
const done = { state: "done", outcome: bytes("x"), patch: bytes("patch") } as const;
const expire = (id: string): Promise<unknown> =>
  query(`UPDATE ai_runtime.fleet_run SET leased_until = now() - interval '1 second' WHERE id = '${id}'`);
const empty = (): Promise<unknown> => query("DELETE FROM ai_runtime.fleet_run; DELETE FROM ai_runtime.fleet_account");

describe("claims", () => {
  test("go by priority, then by age; not before the time; only with all labels and enough rights", async () => {
    await empty();
    const [first, second, urgent] = [await add(), await add(), await add({ priority: 5 })];
    await add({ delayMs: 60_000 });
    await add({ labels: ["gpu"] });
    await add({ grants: 2 });
    const limited = claimant({ grants: 1 });
    const order = [await claim(limited), await claim(limited), await claim(limited), await claim(limited)];
    expect(order.map((row) => row?.id)).toEqual([urgent, first, second, undefined]);
    expect((await claim(claimant({ grants: 1, labels: ["gpu", "linux"] })))?.state).toBe("running");
    expect(await claim(claimant({ grants: 1, labels: ["linux"] }))).toBeUndefined();
  });

  test("of 40 workers at the same moment, each gets another run", async () => {
    await empty();
    for (let at = 0; at < 30; at++) await add();
    const claimed = await Promise.all(Array.from({ length: 40 }, () => claim()));
    const ids = claimed.flatMap((row) => row?.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    // One that skipped a row which another was taking finds it with its next look.
    for (let left = 30 - ids.length; left > 0; left--) ids.push((await claim())?.id ?? "none");
    expect(new Set(ids).size).toBe(30);
  });

  test("a run whose lease has ended goes to another worker, and the old one changes nothing", async () => {
    await empty();
    const id = await add();
    const old = await claim();
    expect(await claim()).toBeUndefined();
    await expire(id);
    const next = await claim();
    expect(next).toMatchObject({ id, fence: 2 });
    expect(await renewFleetRuns(hub.connection, old?.worker ?? "", [id], 15)).toEqual([]);
    expect(await releaseFleetRun(hub.connection, heldBy(old), { ...release, waitsFor: null })).toBe(false);
    expect(await finishFleetRun(hub.connection, heldBy(old), done)).toBe(false);
    expect(await renewFleetRuns(hub.connection, next?.worker ?? "", [id], 15)).toEqual([id]);
    expect(await finishFleetRun(hub.connection, heldBy(next), done)).toBe(true);
  });

  test("a run that waits for one account goes to another at once, and to none that has a limit", async () => {
    await empty();
    const id = await add();
    const row = await claim();
    const waitsFor = hub.sealer.tag("one");
    expect(await releaseFleetRun(hub.connection, heldBy(row), { ...release, waitsFor })).toBe(true);
    expect(await claim(claimant({ account: "one" }))).toBeUndefined();
    await tellAccount(hub.connection, hub.sealer.tag("two"), { label: bytes("x"), limitedMs: 60_000 });
    expect(await claim(claimant({ account: "two" }))).toBeUndefined();
    expect(await claim(claimant({ account: "three" }))).toMatchObject({ id, fence: 2 });
  });

  test("a stopped run is never claimed, and its worker has lost it", async () => {
    await empty();
    const id = await add();
    const row = await claim();
    expect(await stopFleetRun(hub.connection, id, hub.config.machine)).toMatchObject({ state: "stopped" });
    expect(await renewFleetRuns(hub.connection, row?.worker ?? "", [id], 15)).toEqual([]);
    expect(await finishFleetRun(hub.connection, heldBy(row), done)).toBe(false);
    expect(await claim()).toBeUndefined();
    expect(await stopFleetRun(hub.connection, id, hub.config.machine)).toBeUndefined();
  });
});

describe("the server crashes at a statement of", () => {
  const stories: Record<string, { prepare: () => Promise<() => Promise<unknown>>; states: string[] }> = {
    "a claim": {
      prepare: async () => {
        await add();
        return () => claim();
      },
      states: ["queued 0", "running 1"],
    },
    "a heartbeat": {
      prepare: async () => {
        await add();
        const row = await claim();
        return () => renewFleetRuns(hub.connection, row?.worker ?? "", [row?.id ?? ""], 15);
      },
      states: ["running 1"],
    },
    "a release": {
      prepare: async () => {
        await add();
        const row = await claim();
        return () => releaseFleetRun(hub.connection, heldBy(row), { ...release, waitsFor: null });
      },
      states: ["running 1", "waiting 1"],
    },
    "a completion": {
      prepare: async () => {
        await add();
        const row = await claim();
        return () => finishFleetRun(hub.connection, heldBy(row), done);
      },
      states: ["running 1", "done 1 patch"],
    },
  };

  /** What the tables say of the only run: all of it old, or all of it new. */
  async function stateNow(): Promise<string> {
    const [row] = await query<{ state: string; fence: number; patch: boolean; notes: number }>(
      `SELECT state, fence::int AS fence, EXISTS (SELECT 1 FROM ai_runtime.fleet_patch p WHERE p.run = r.id) AS patch,
        (SELECT count(*)::int FROM ai_runtime.journal j WHERE j.subject = 'fleet-' || r.id) AS notes
       FROM ai_runtime.fleet_run r`,
    );
    const expectedNotes = { queued: 0, running: 1, waiting: 2, done: 2 }[row?.state ?? ""];
    expect(row?.notes).toBe(expectedNotes as number);
    return `${row?.state} ${row?.fence}${row?.patch ? " patch" : ""}`;
  }

  for (const [title, { prepare, states }] of Object.entries(stories)) {
    test(`${title}: old or new, and the next try completes it`, async () => {
      await empty();
      const clean = await prepare();
      proxy.messages = 0;
      await clean();
      const total = proxy.messages;
      expect(await stateNow()).toBe(states.at(-1) as string);
      const all = Array.from({ length: total }, (_, at) => at + 1);
      for (const number of inFull ? all : [total]) {
        await empty();
        const run = await prepare();
        let crashed: Promise<void> | undefined;
        proxy.messages = 0;
        proxy.onMessage = async (sent) => {
          if (sent === number) await (crashed ??= postgres.stop("immediate"));
        };
        await run().catch(() => undefined);
        proxy.onMessage = () => undefined;
        await (crashed ?? postgres.stop("immediate"));
        await postgres.startAgain();
        expect(states).toContain(await stateNow());
        await hub.connection.close();
        hub = await openHub(currentEnvironment(machine.env));
        await run().catch(() => undefined);
        expect(await stateNow()).toBe(states.at(-1) as string);
      }
    });
  }
});

test("the database cannot read task, labels, repository or account of a run", async () => {
  await empty();
  const words = [
    "run",
    "Secret-task-words",
    "--fleet",
    "--repo",
    "https://host.example/secret-repo",
    "--labels",
    "secret-label",
  ];
  await machine.succeed(words);
  const rows = await query<{ text: string }>("SELECT r::text AS text FROM ai_runtime.fleet_run r");
  expect(rows).toHaveLength(1);
  for (const { text } of rows) {
    const readable = text.replace(/\\+x([0-9a-f]+)/g, (_, hex: string) => Buffer.from(hex, "hex").toString("latin1"));
    expect(readable.toLowerCase()).not.toContain("secret");
  }
  const listed = await machine.succeed(["queue", "list", "--fleet"]);
  expect(listed.stdout).toContain("Secret-task-words");
  const [{ id } = { id: "" }] = await query<{ id: string }>("SELECT id FROM ai_runtime.fleet_run");
  expect((await machine.succeed(["stop", id])).stderr).toContain("no machine continues it");
  expect((await readFleetRun(hub.connection, id))?.state).toBe("stopped");
});

test("every command of the fleet prints JSON with --json, and nothing on stderr", async () => {
  await empty();
  const json = async (...words: string[]): Promise<unknown[]> => {
    const { stdout, stderr, exitCode } = await machine.aiRuntime([...words, "--json"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
  };
  const [queued] = (await json("run", "Something", "--fleet", "--repo", "none", "--priority", "3")) as [{ id: string }];
  expect(await json("queue", "move", queued.id, "--to", "1", "--fleet")).toEqual([{ id: queued.id }]);
  expect(await json("queue", "list", "--fleet")).toMatchObject([{ runs: [{ id: queued.id, priority: 3 }] }]);
  expect(await json("queue", "cancel", queued.id, "--fleet")).toEqual([{ id: queued.id }]);
  expect(await json("queue", "result", queued.id)).toMatchObject([{ id: queued.id, state: "stopped", patchBytes: 0 }]);
  expect(await json("worker", "--drain")).toMatchObject([{ text: expect.stringContaining("1 slot") }]);
  expect(await json("status", "--fleet")).toMatchObject([{ workers: [], runs: { stopped: 1 }, open: [] }]);
});

test.each([
  [["run", "x", "--fleet", "--repo", "ext::sh -c id"], "is not an address"],
  [["run", "x", "--fleet", "--repo", "https://user:token@host/x"], "password or a token"],
  [["run", "x", "--fleet", "--repo", "--upload-pack=x"], "may not begin with -"],
  [["run", "x", "--fleet", "--repo", "none", "--ref", "main"], "--ref needs a repository"],
  [["run", "x", "--fleet", "--repo", "none", "--settings", "{}"], "--settings cannot be used with --fleet"],
  [["run", "x", "--fleet", "--repo", "none", "--no-wait"], "--no-wait cannot be used with --fleet"],
  [["run", "x", "--fleet", "--repo", "none", "--labels", "a b"], "--labels must be words"],
  [["run", "x", "--labels", "a"], "--labels needs --fleet"],
  [["worker", "--slots", "0"], "--slots must be"],
  [["worker", "--grant", "root"], "--grant must be"],
  [["worker", "--account", "a b"], "--account must be"],
])("refuses in one sentence: %p", async (words, sentence) => {
  const result = await machine.aiRuntime(words);
  expect(result).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(sentence) });
});

// Many workers on one queue while everything around them fails; from a seed. The workers are loops of this process that do with the
// database what a worker does: claim, renew, give back at a limit, end, and die without a word.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { currentEnvironment } from "../../src/app/environment.ts";
import { type Hub, openHub } from "../../src/app/hub/open-hub.ts";
import {
  claimFleetRun,
  finishFleetRun,
  type FleetRow,
  insertFleetRun,
  releaseFleetRun,
  renewFleetRuns,
} from "../../src/hub/fleet-runs.ts";
import { tellAccount } from "../../src/hub/fleet-workers.ts";
import { randomFrom } from "../support/hub/chaos.ts";
import { HubMachine } from "../support/hub/machine.ts";
import type { TestPostgres } from "../support/hub/postgres.ts";
import { HubProxy } from "../support/hub/proxy.ts";
import { sharedPostgres, startTimeoutMs } from "../support/hub/shared-postgres.ts";

const inFull = process.env["HUB"] === "full";
const seed = Number(process.env["HUB_SEED"] ?? (inFull ? Date.now() % 1_000_000 : 20_261_118));
const extent = inFull ? { runs: 2_000, crashes: 20 } : { runs: 200, crashes: 2 };
const workers = 8;
const leaseSeconds = 1;
if (inFull) setDefaultTimeout(3_600_000);

let postgres: TestPostgres;
beforeAll(async () => void (postgres = await sharedPostgres()), startTimeoutMs);

interface JournalRow {
  subject: string;
  what: "claim" | "release" | "finish";
  machine: string;
  fence: number;
}

test(`chaos with ${extent.runs} runs and ${workers} workers, seed ${seed}`, async () => {
  const random = randomFrom(seed);
  using machine = new HubMachine();
  using proxy = await HubProxy.start(postgres.port);
  const url = await postgres.createDatabase();
  const database = new URL(url).pathname.slice(1);
  await machine.init(proxy.through(url));
  const environment = currentEnvironment(machine.env);
  const first = await openHub(environment);
  for (let at = 0; at < extent.runs; at++) {
    const row = { id: `run-${at}`, session: crypto.randomUUID(), grants: 0, labels: [], priority: at % 3, delayMs: 0 };
    await insertFleetRun(first.connection, { ...row, task: new Uint8Array([1]) });
  }
  await first.connection.close();

  const counts = { claims: 0, deaths: 0, limits: 0, failures: 0 };
  const ended = new Map<string, number>();
  const nothing = new Uint8Array([0]);

  /** One life of a worker: until it dies, or until all runs have ended. */
  async function live(hub: Hub, account: Uint8Array): Promise<void> {
    const worker = crypto.randomUUID();
    const claimant = { worker, machine: hub.config.machine, account, labels: [], grants: 2, leaseSeconds };
    while (ended.size < extent.runs) {
      const row: FleetRow | undefined = await claimFleetRun(hub.connection, claimant);
      if (!row) {
        await Bun.sleep(20);
        continue;
      }
      counts.claims++;
      const { id, fence } = row;
      const held = { id, fence, worker };
      if (random() < 0.5) await renewFleetRuns(hub.connection, worker, [id], leaseSeconds);
      const fate = random();
      if (fate < 0.1) {
        counts.deaths++;
        return;
      }
      if (fate < 0.2) {
        counts.limits++;
        const limit = { state: "waiting", delayMs: 300, waitsFor: account, failures: 0, outcome: nothing } as const;
        await tellAccount(hub.connection, account, { label: nothing, limitedMs: 300 });
        await releaseFleetRun(hub.connection, held, limit);
        continue;
      }
      const completion = { state: "done", outcome: nothing, patch: nothing } as const;
      if (await finishFleetRun(hub.connection, held, completion)) ended.set(id, fence);
    }
  }

  async function liveAgain(number: number): Promise<void> {
    while (ended.size < extent.runs) {
      let hub: Hub | undefined;
      try {
        hub = await openHub(environment);
        await live(hub, hub.sealer.tag(`account ${number % 3}`));
      } catch {
        counts.failures++;
        await Bun.sleep(20);
        // An answer may have been lost: the database knows what has ended.
        const rows = await postgres
          .query<{ id: string; fence: number }>(
            "SELECT id, fence::int AS fence FROM ai_runtime.fleet_run WHERE state = 'done'",
            database,
          )
          .catch(() => []);
        for (const { id, fence } of rows) ended.set(id, fence);
      } finally {
        await hub?.connection.close();
      }
    }
  }

  let crashes = 0;
  const disturb = async (): Promise<void> => {
    while (ended.size < extent.runs) {
      await Bun.sleep(50 + random() * 100);
      const what = random();
      if (what < 0.3) proxy.cut();
      else if (what < 0.6) proxy.onMessage = () => Bun.sleep(random() * 20);
      else proxy.onMessage = () => undefined;
      if (crashes < extent.crashes && ended.size > ((crashes + 1) * extent.runs) / (extent.crashes + 2)) {
        crashes++;
        await postgres.stop("immediate");
        await postgres.startAgain();
      }
    }
  };
  await Promise.all([disturb(), ...Array.from({ length: workers }, (_, at) => liveAgain(at))]);

  const states = await postgres.query<{ state: string; count: number }>(
    "SELECT state, count(*)::int AS count FROM ai_runtime.fleet_run GROUP BY state",
    database,
  );
  expect([...states]).toEqual([{ state: "done", count: extent.runs }]);
  const journal = await postgres.query<JournalRow>(
    "SELECT subject, what, machine::text AS machine, fence::int AS fence FROM ai_runtime.journal ORDER BY n",
    database,
  );
  expect(breaks(journal)).toEqual([]);
  console.log(JSON.stringify({ seed, ...counts, crashes, journal: journal.length }));
  // Otherwise the steps did not try what they should.
  expect([counts.deaths > 0, counts.limits > 0, crashes]).toEqual([true, true, extent.crashes]);
});

/** Every claim has the next fencing number, only the worker of the last claim gives a run back or ends it, and it ends once. */
function breaks(journal: readonly JournalRow[]): string[] {
  const last = new Map<string, JournalRow>();
  return journal.flatMap((row) => {
    const before = last.get(row.subject);
    last.set(row.subject, row);
    const isNext = row.what === "claim" && row.fence === (before?.fence ?? 0) + 1 && before?.what !== "finish";
    const isSame = before?.what === "claim" && before.fence === row.fence && before.machine === row.machine;
    return isNext || (row.what !== "claim" && isSame) ? [] : [JSON.stringify({ before, row })];
  });
}

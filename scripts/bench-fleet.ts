// `bun run bench:fleet`: the queue of the fleet on loopback. Prints a Markdown table for docs/HUB.md.
import { currentEnvironment } from "../src/app/environment.ts";
import { openHub } from "../src/app/hub/open-hub.ts";
import { claimFleetRun, finishFleetRun } from "../src/hub/fleet-runs.ts";
import { executable } from "../test/support/executable.ts";
import { HubMachine } from "../test/support/hub/machine.ts";
import { TestPostgres } from "../test/support/hub/postgres.ts";
import { until } from "../test/support/until.ts";

const rows: [what: string, figure: string][] = [];
const postgres = await TestPostgres.start();
const machine = new HubMachine();
const url = await postgres.createDatabase();
const database = new URL(url).pathname.slice(1);
await machine.init(url);
const query = <Row>(text: string): Promise<Row[]> => postgres.query<Row>(text, database);

/** Rows as `run --fleet` writes them, made by the database itself. */
const fill = (state: string, count: number, prefix: string): Promise<unknown> =>
  query(`INSERT INTO ai_runtime.fleet_run (id, session, state, grants, labels, priority, place, not_before, task)
    SELECT '${prefix}-' || n, gen_random_uuid()::text, '${state}', 0, '{}', n % 3, n, now(), '\\x00'
    FROM generate_series(1, ${count}) n`);

/** Workers of this process, each with connections of its own, take runs and end them. */
async function claims(workers: number, count: number): Promise<number> {
  const hubs = await Promise.all(Array.from({ length: 10 }, () => openHub(currentEnvironment(machine.env))));
  let left = count;
  const nothing = new Uint8Array([0]);
  const started = performance.now();
  await Promise.all(
    Array.from({ length: workers }, async (_, at) => {
      const { connection, config, sealer } = hubs[at % hubs.length] ?? (await openHub(currentEnvironment(machine.env)));
      const worker = crypto.randomUUID();
      const account = sealer.tag("one");
      while (left-- > 0) {
        const claimant = { worker, machine: config.machine, account, labels: [], grants: 2, leaseSeconds: 15 };
        const row = await claimFleetRun(connection, claimant);
        if (!row) continue;
        const held = { id: row.id, fence: row.fence, worker };
        await finishFleetRun(connection, held, { state: "done", outcome: nothing, patch: null });
      }
    }),
  );
  const rate = count / ((performance.now() - started) / 1000);
  for (const { connection } of hubs) await connection.close();
  return rate;
}

await fill("queued", 10_000, "q");
const rate = await claims(50, 2_000);
rows.push(["claims and ends with 50 workers, 10,000 queued runs", `${rate.toFixed(0)} a second`]);

for (const finished of [100, 100_000]) {
  await query("DELETE FROM ai_runtime.fleet_run");
  await fill("done", finished, "d");
  await fill("queued", 1_000, "q");
  await query("ANALYZE ai_runtime.fleet_run");
  const one = await claims(1, 300);
  rows.push([`one claim and end, ${finished.toLocaleString("en")} finished runs`, `${(1000 / one).toFixed(1)} ms`]);
}

await query("DELETE FROM ai_runtime.fleet_run");
const idle = Bun.spawn([executable, "worker"], { env: machine.env, stdout: "ignore", stderr: "ignore" });
await until(async () => (await query("SELECT 1 FROM ai_runtime.fleet_worker")).length === 1, "the worker to register");
const statements = async (): Promise<number> => {
  const [row] = await query<{ n: number }>(
    `SELECT (xact_commit + xact_rollback)::int AS n FROM pg_stat_database WHERE datname = '${database}'`,
  );
  return row?.n ?? 0;
};
const idleSeconds = 30;
const before = await statements();
await Bun.sleep(idleSeconds * 1000);
const after = await statements();
rows.push(["queries of an idle worker", `${(((after - before - 1) * 60) / idleSeconds).toFixed(0)} a minute`]);
const memory = /VmRSS:\s+(\d+)/.exec(await Bun.file(`/proc/${idle.pid}/status`).text())?.[1];
rows.push(["memory of an idle worker", `${(Number(memory) / 1024).toFixed(0)} MB`]);
idle.kill("SIGTERM");
await idle.exited;

await postgres.end();
machine[Symbol.dispose]();
console.log(["| what | figure |", "| --- | --- |", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n"));

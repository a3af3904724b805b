// `bun run bench:hub`: replication to a hub on loopback. Prints a Markdown table for docs/HUB.md.
import { executable } from "../test/support/executable.ts";
import { HubMachine } from "../test/support/hub/machine.ts";
import { TestPostgres } from "../test/support/hub/postgres.ts";

const session = (number: number): string => `${String(number).padStart(8, "0")}-2222-4333-8444-555555555555`;
const rows: [what: string, figure: string][] = [];
const quantile = (values: number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;

const postgres = await TestPostgres.start();
const databaseOf = (url: string): string => new URL(url).pathname.slice(1);

/** A session of many megabytes, and psql's own copy of the same lines. Real transcripts are between the two kinds of text. */
async function throughput(text: "repetitive" | "random"): Promise<void> {
  using machine = new HubMachine();
  const url = await postgres.createDatabase();
  await machine.init(url);
  const megabytes = 64;
  if (text === "repetitive") machine.grow(session(1), megabytes * 1_000_000);
  else {
    const line = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(7_500))).toString("base64");
    const lines = Array.from(
      { length: megabytes * 100 },
      () => `${JSON.stringify({ type: "assistant", text: line() })}\n`,
    );
    machine.overwrite(session(1), lines.join(""));
  }
  await machine.hook(session(1));
  const started = performance.now();
  await machine.succeed(["hub", "sync"]);
  const ours = performance.now() - started;
  rows.push([
    `replication of a session of ${megabytes} MB, ${text} text`,
    `${(megabytes / (ours / 1000)).toFixed(0)} MB/s`,
  ]);
  const psql = Bun.which("psql");
  if (!psql) return;
  await postgres.query("CREATE TABLE lines (line text)", databaseOf(url));
  const copy = `\\copy lines FROM '${machine.transcript(session(1))}' WITH (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')`;
  const copyStarted = performance.now();
  const copied = Bun.spawnSync([psql, url, "-qc", copy]);
  if (copied.exitCode !== 0) throw new Error(copied.stderr.toString());
  const theirs = performance.now() - copyStarted;
  rows.push([
    `\`psql \\copy\` of the same lines, ${text} text, not encrypted`,
    `${(megabytes / (theirs / 1000)).toFixed(0)} MB/s`,
  ]);
}

/** From the end of the hook to the moment at which the database has the bytes; the background process replicates. */
async function delay(count: number): Promise<number[]> {
  using machine = new HubMachine({ background: true });
  const url = await postgres.createDatabase();
  await machine.init(url);
  const sql = new Bun.SQL({ url, max: 1 });
  const delays: number[] = [];
  let total = 0;
  for (let round = 0; round < count; round++) {
    machine.grow(session(1), 90_000, `round ${round}`);
    await machine.hook(session(1));
    const started = performance.now();
    const size = machine.read(session(1)).length;
    while (total < size) {
      await Bun.sleep(5);
      const [row] = await sql`SELECT coalesce(sum(length), 0)::int AS total FROM ai_runtime.chunk`;
      total = row.total;
    }
    delays.push(performance.now() - started);
  }
  await sql.close();
  return delays;
}

async function idle(): Promise<void> {
  using machine = new HubMachine({ background: true });
  const url = await postgres.createDatabase();
  await machine.init(url);
  machine.grow(session(1), 90_000);
  await machine.hook(session(1));
  await machine.succeed(["hub", "sync"]);
  const count = async (): Promise<number> => {
    const [row] = await postgres.query<{ count: number }>(
      `SELECT (xact_commit + xact_rollback)::int AS count FROM pg_stat_database WHERE datname = '${databaseOf(url)}'`,
    );
    return row?.count ?? 0;
  };
  // The server reports its counters with a delay.
  await Bun.sleep(15_000);
  const before = await count();
  await Bun.sleep(30_000);
  rows.push(["queries of an idle machine", `${((await count()) - before) * 2} per minute`]);
}

/** The same change in a hub with few and with many sessions. */
async function growth(sessions: number): Promise<void> {
  using machine = new HubMachine();
  const url = await postgres.createDatabase();
  await machine.init(url);
  const { machine: id } = machine.config();
  await postgres.query(
    `INSERT INTO ai_runtime.subject (id, kind, seq, fence, holder, leased_until, manifest, label, tags, bytes)
     SELECT gen_random_uuid()::text, 'session', 1, 1, '${id}', now(), '\\x00'::bytea, '\\x00'::bytea,
       ARRAY[decode(md5((n % 1000)::text), 'hex')], 1000 FROM generate_series(1, ${sessions}) n`,
    databaseOf(url),
  );
  await postgres.query("VACUUM ANALYZE ai_runtime.subject", databaseOf(url));
  const times: number[] = [];
  for (let round = 0; round < 10; round++) {
    machine.grow(session(1), 10_000, `round ${round}`);
    await machine.hook(session(1));
    const started = performance.now();
    await machine.succeed(["hub", "sync"]);
    times.push(performance.now() - started);
  }
  rows.push([
    `\`hub sync\` of one change, ${sessions.toLocaleString("en-US")} sessions in the hub`,
    milliseconds(quantile(times, 0.5)),
  ]);
}

console.error(`measuring ${executable}`);
try {
  await throughput("repetitive");
  await throughput("random");
  const delays = await delay(40);
  rows.push(["mark to durable in the hub, p50", milliseconds(quantile(delays, 0.5))]);
  rows.push(["mark to durable in the hub, p95", milliseconds(quantile(delays, 0.95))]);
  await idle();
  for (const sessions of [100, 10_000, 100_000]) await growth(sessions);
} finally {
  await postgres.end();
}
console.log(["| what | figure |", "| --- | --- |", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n"));

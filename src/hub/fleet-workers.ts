import type { FleetState } from "../core/fleet/fleet-run.ts";
import type { HubConnection } from "./connection.ts";

export interface WorkerRow {
  readonly id: string;
  readonly machine: string;
  readonly account: Uint8Array;
  readonly slots: number;
  readonly label: Uint8Array;
  readonly started: Date;
  readonly seen: Date;
  /** How long ago it was seen, by the clock of the database. */
  readonly silentMs: number;
  /** Runs that it works on. */
  readonly runs: number;
}

export type NewWorker = Pick<WorkerRow, "id" | "machine" | "account" | "slots" | "label">;

export async function registerWorker(connection: HubConnection, worker: NewWorker): Promise<void> {
  const { id, machine, account, slots, label } = worker;
  await connection.run(
    (sql) => sql`INSERT INTO ai_runtime.fleet_worker (id, machine, account, slots, label)
      VALUES (${id}, ${machine}, ${account}, ${slots}, ${label})`,
  );
}

/** Also of a worker that was taken for lost and comes back. False: it is not registered. */
export async function greetWorker(connection: HubConnection, id: string): Promise<boolean> {
  const rows = await connection.run(
    (sql) => sql`UPDATE ai_runtime.fleet_worker SET seen = now(), lost = false WHERE id = ${id} RETURNING id`,
  );
  return rows.length === 1;
}

export async function removeWorker(connection: HubConnection, id: string): Promise<void> {
  await connection.run((sql) => sql`DELETE FROM ai_runtime.fleet_worker WHERE id = ${id}`);
}

/** Workers that fell silent and are not known as lost yet: each is returned once. */
export async function takeLostWorkers(connection: HubConnection, silentSeconds: number): Promise<WorkerRow[]> {
  const text = `UPDATE ai_runtime.fleet_worker w SET lost = true
    WHERE NOT lost AND seen < now() - make_interval(secs => $1) RETURNING ${workerColumns}`;
  return connection.run(async (sql) => [...(await sql.unsafe(text, [silentSeconds]))] as WorkerRow[]);
}

const keptDays = 7;

export async function forgetWorkers(connection: HubConnection): Promise<void> {
  await connection.run(
    (sql) => sql`DELETE FROM ai_runtime.fleet_worker WHERE lost AND seen < now() - make_interval(days => ${keptDays})`,
  );
}

const workerColumns = `w.id::text AS id, w.machine::text AS machine, w.account, w.slots, w.label, w.started, w.seen,
  extract(epoch FROM now() - w.seen)::float8 * 1000 AS "silentMs",
  (SELECT count(*) FROM ai_runtime.fleet_run r WHERE r.state = 'running' AND r.worker = w.id)::int AS runs`;

export function listWorkers(connection: HubConnection): Promise<WorkerRow[]> {
  const text = `SELECT ${workerColumns} FROM ai_runtime.fleet_worker w ORDER BY w.started`;
  return connection.run(async (sql) => [...(await sql.unsafe(text))] as WorkerRow[]);
}

export interface AccountRow {
  readonly account: Uint8Array;
  readonly label: Uint8Array;
  /** 0 or less, or null: it has quota. */
  readonly limitedMs: number | null;
  readonly updated: Date;
}

/** `limitedMs`: undefined leaves the limit as it is; null removes it. */
export async function tellAccount(
  connection: HubConnection,
  account: Uint8Array,
  { label, limitedMs }: { readonly label: Uint8Array; readonly limitedMs: number | null | undefined },
): Promise<void> {
  const seconds = limitedMs === null || limitedMs === undefined ? null : limitedMs / 1000;
  const limit = limitedMs === undefined ? "fleet_account.limited_until" : "excluded.limited_until";
  const text = `INSERT INTO ai_runtime.fleet_account (account, label, limited_until)
    VALUES ($1, $2, now() + make_interval(secs => $3))
    ON CONFLICT (account) DO UPDATE SET label = excluded.label, limited_until = ${limit}, updated = now()`;
  await connection.run((sql) => sql.unsafe(text, [account, label, seconds]));
}

export function listAccounts(connection: HubConnection): Promise<AccountRow[]> {
  const text = `SELECT account, label, extract(epoch FROM limited_until - now())::float8 * 1000 AS "limitedMs", updated
    FROM ai_runtime.fleet_account ORDER BY updated`;
  return connection.run(async (sql) => [...(await sql.unsafe(text))] as AccountRow[]);
}

export async function countFleetRuns(connection: HubConnection): Promise<Partial<Record<FleetState, number>>> {
  const rows = await connection.run(
    (sql) => sql`SELECT state, count(*)::int AS count FROM ai_runtime.fleet_run GROUP BY state`,
  );
  return Object.fromEntries(rows.map(({ state, count }: { state: FleetState; count: number }) => [state, count]));
}

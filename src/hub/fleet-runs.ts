import type { FleetState } from "../core/fleet/fleet-run.ts";
import type { HubConnection, Sql } from "./connection.ts";
import { byteaArray } from "./sql-values.ts";

/** What the database knows of a run of the fleet. Task and outcome are encrypted. */
export interface FleetRow {
  readonly id: string;
  readonly session: string;
  readonly state: FleetState;
  readonly priority: number;
  readonly place: number;
  /** Counts every claim and every stop: a worker with an older number changes nothing. */
  readonly fence: number;
  readonly worker: string | null;
  /** The machine of that worker; null when it is not known. */
  readonly machine: string | null;
  /** Milliseconds until it may start, and until its worker loses it; 0 or less: now. */
  readonly startsInMs: number;
  readonly leftMs: number | null;
  readonly waitsFor: Uint8Array | null;
  readonly failures: number;
  readonly task: Uint8Array;
  readonly base: Uint8Array | null;
  readonly outcome: Uint8Array | null;
  readonly created: Date;
  readonly updated: Date;
}

const columns = `(SELECT w.machine::text FROM ai_runtime.fleet_worker w WHERE w.id = worker) AS machine, id, session, state, priority, place, fence::float8 AS fence, worker::text AS worker, failures, task, base, outcome,
  extract(epoch FROM not_before - now())::float8 * 1000 AS "startsInMs", waits_for AS "waitsFor",
  extract(epoch FROM leased_until - now())::float8 * 1000 AS "leftMs", created, updated`;

export interface NewFleetRow {
  readonly id: string;
  readonly session: string;
  readonly grants: number;
  readonly labels: readonly Uint8Array[];
  readonly priority: number;
  readonly delayMs: number;
  readonly task: Uint8Array;
}

/** Behind all that wait. */
export async function insertFleetRun(connection: HubConnection, row: NewFleetRow): Promise<void> {
  const { id, session, grants, labels, priority, delayMs, task } = row;
  await connection.run(
    (
      sql,
    ) => sql`INSERT INTO ai_runtime.fleet_run (id, session, state, grants, labels, priority, place, not_before, task)
      VALUES (${id}, ${session}, 'queued', ${grants}, ${byteaArray(labels)}::bytea[], ${priority},
        extract(epoch FROM clock_timestamp())::float8, now() + make_interval(secs => ${delayMs / 1000}), ${task})`,
  );
}

/** What a worker may take. */
export interface Claimant {
  readonly worker: string;
  readonly machine: string;
  readonly account: Uint8Array;
  readonly labels: readonly Uint8Array[];
  readonly grants: number;
  readonly leaseSeconds: number;
}

const fits = `labels <@ $1::bytea[] AND grants <= $2
  AND NOT EXISTS (SELECT 1 FROM ai_runtime.fleet_account a WHERE a.account = $3 AND a.limited_until > now())`;
const isAbandoned = `state = 'running' AND leased_until <= now() AND ${fits}`;
const isReady = `state IN ('queued', 'waiting') AND (not_before <= now() OR waits_for <> $3) AND ${fits}`;

/**
 * Takes one run, under the next fencing number: first one whose worker is gone, else the next one in order. Workers that ask at
 * the same moment skip what another one is taking. The leases of its session and its record end with that of its last worker.
 */
export async function claimFleetRun(connection: HubConnection, claimant: Claimant): Promise<FleetRow | undefined> {
  const { worker, machine, account, labels, grants, leaseSeconds } = claimant;
  const values = [byteaArray(labels), grants, account];
  // Most looks find nothing: they cost one statement and no transaction.
  const look = `SELECT EXISTS (SELECT 1 FROM ai_runtime.fleet_run WHERE ${isAbandoned})
    OR EXISTS (SELECT 1 FROM ai_runtime.fleet_run WHERE ${isReady}) AS found`;
  const [seen] = await connection.run((sql) => sql.unsafe(look, values));
  if (seen?.found !== true) return undefined;
  return connection.transaction(async (sql) => {
    const pick = async (condition: string, order: string): Promise<string | undefined> => {
      const text = `SELECT id FROM ai_runtime.fleet_run WHERE ${condition} ORDER BY ${order} LIMIT 1 FOR UPDATE SKIP LOCKED`;
      const [row] = await sql.unsafe(text, values);
      return row?.id as string | undefined;
    };
    const id = (await pick(isAbandoned, "leased_until")) ?? (await pick(isReady, "priority DESC, place"));
    if (id === undefined) return undefined;
    const text = `UPDATE ai_runtime.fleet_run SET state = 'running', worker = $2, fence = fence + 1, waits_for = NULL,
        leased_until = now() + make_interval(secs => $3), updated = now() WHERE id = $1 RETURNING ${columns}`;
    const [row] = await sql.unsafe(text, [id, worker, leaseSeconds]);
    const { session } = row as FleetRow;
    await endLeases(sql, { id, session }, machine);
    await note(sql, id, "claim", worker);
    return row as FleetRow;
  });
}

/** The claim of a run is the right to its session, too: the machine that lost the run can no longer renew. */
export async function endSubjectLeases(
  connection: HubConnection,
  { id, session, fence, worker }: FleetRow,
  machine: string,
): Promise<void> {
  await connection.transaction(async (sql) => {
    const [row] =
      await sql`SELECT 1 FROM ai_runtime.fleet_run WHERE id = ${id} AND fence = ${fence} AND worker = ${worker}
      FOR UPDATE`;
    if (row) await endLeases(sql, { id, session }, machine);
  });
}

async function endLeases(sql: Sql, { id, session }: Pick<FleetRow, "id" | "session">, machine: string): Promise<void> {
  await sql`UPDATE ai_runtime.subject SET leased_until = now()
    WHERE id IN (${session}, ${`run-${id}`}) AND holder <> ${machine} AND leased_until > now()`;
}

/** A worker's right to a run. */
export interface Held {
  readonly id: string;
  readonly fence: number;
  readonly worker: string;
}

/** Returns the ids that this worker still has. */
export async function renewFleetRuns(
  connection: HubConnection,
  worker: string,
  ids: readonly string[],
  leaseSeconds: number,
): Promise<string[]> {
  const places = ids.map((_, at) => `$${at + 3}`).join(", ");
  const text = `UPDATE ai_runtime.fleet_run SET leased_until = now() + make_interval(secs => $2)
    WHERE worker = $1 AND state = 'running' AND id IN (${places}) RETURNING id`;
  const rows = await connection.run((sql) => sql.unsafe(text, [worker, leaseSeconds, ...ids]));
  return rows.map(({ id }: { id: string }) => id);
}

/** The commit that the work starts from, for the next worker. False: the run belongs to another one by now. */
export async function noteFleetBase(connection: HubConnection, held: Held, base: Uint8Array): Promise<boolean> {
  const { id, fence, worker } = held;
  const rows = await connection.run(
    (sql) => sql`UPDATE ai_runtime.fleet_run SET base = ${base}
      WHERE id = ${id} AND worker = ${worker} AND fence = ${fence} AND state = 'running' RETURNING id`,
  );
  return rows.length === 1;
}

export interface Release {
  readonly state: "queued" | "waiting";
  readonly delayMs: number;
  /** Workers with another account may take it at once. */
  readonly waitsFor: Uint8Array | null;
  readonly failures: number;
  readonly outcome: Uint8Array;
}

/** Gives a run back: it has no worker and needs no slot. */
export function releaseFleetRun(connection: HubConnection, held: Held, release: Release): Promise<boolean> {
  const { id, fence, worker } = held;
  const { state, delayMs, waitsFor, failures, outcome } = release;
  return connection.transaction(async (sql) => {
    const rows = await sql`UPDATE ai_runtime.fleet_run SET state = ${state}, worker = NULL, leased_until = NULL,
        not_before = now() + make_interval(secs => ${delayMs / 1000}), waits_for = ${waitsFor}, failures = ${failures},
        outcome = ${outcome}, updated = now()
      WHERE id = ${id} AND worker = ${worker} AND fence = ${fence} AND state = 'running' RETURNING id`;
    if (rows.length === 1) await note(sql, id, "release", worker);
    return rows.length === 1;
  });
}

export interface Completion {
  readonly state: "done" | "failed" | "stopped";
  readonly outcome: Uint8Array;
  readonly patch: Uint8Array | null;
}

/** The end and the result in one transaction. */
export function finishFleetRun(connection: HubConnection, held: Held, completion: Completion): Promise<boolean> {
  const { id, fence, worker } = held;
  const { state, outcome, patch } = completion;
  return connection.transaction(async (sql) => {
    const rows = await sql`UPDATE ai_runtime.fleet_run SET state = ${state}, worker = NULL, leased_until = NULL,
        waits_for = NULL, outcome = ${outcome}, updated = now()
      WHERE id = ${id} AND worker = ${worker} AND fence = ${fence} AND state = 'running' RETURNING id`;
    if (rows.length === 0) return false;
    if (patch) await sql`INSERT INTO ai_runtime.fleet_patch (run, content) VALUES (${id}, ${patch})`;
    await note(sql, id, "finish", worker);
    return true;
  });
}

/**
 * Ends a run for good, also while a worker has it: its worker loses it at once, under the next fencing number. Undefined when it has ended
 * or does not exist.
 */
export function stopFleetRun(connection: HubConnection, id: string, machine: string): Promise<FleetRow | undefined> {
  return connection.transaction(async (sql) => {
    const text = `UPDATE ai_runtime.fleet_run SET state = 'stopped', fence = fence + 1, worker = NULL, leased_until = NULL,
        waits_for = NULL, updated = now() WHERE id = $1 AND state IN ('queued', 'running', 'waiting') RETURNING ${columns}`;
    const [row] = await sql.unsafe(text, [id]);
    if (row) await note(sql, id, "stop", machine);
    return row as FleetRow | undefined;
  });
}

/** The database's own journal: who had a run, in which order. */
async function note(sql: Sql, id: string, what: "claim" | "release" | "finish" | "stop", who: string): Promise<void> {
  await sql`INSERT INTO ai_runtime.journal (subject, what, machine, fence, seq)
    SELECT ${`fleet-${id}`}, ${what}, ${who}, fence, 0 FROM ai_runtime.fleet_run WHERE id = ${id}`;
}

export async function readFleetRun(connection: HubConnection, id: string): Promise<FleetRow | undefined> {
  const text = `SELECT ${columns} FROM ai_runtime.fleet_run WHERE id = $1`;
  const [row] = await connection.run((sql) => sql.unsafe(text, [id]));
  return row as FleetRow | undefined;
}

/** Those that have not ended: the ones with a worker first, then the others in the order in which they start. */
export function listOpenFleetRuns(connection: HubConnection, limit: number): Promise<FleetRow[]> {
  const running = `SELECT ${columns}, 0 AS part FROM ai_runtime.fleet_run WHERE state = 'running'`;
  const ready = `SELECT ${columns}, 1 AS part FROM ai_runtime.fleet_run WHERE state IN ('queued', 'waiting')
    ORDER BY priority DESC, place LIMIT $1`;
  const text = `SELECT * FROM ((${running}) UNION ALL (${ready})) AS open ORDER BY part, priority DESC, place LIMIT $1`;
  return connection.run(async (sql) => [...(await sql.unsafe(text, [limit]))] as FleetRow[]);
}

/** Newest first. */
export function listEndedFleetRuns(connection: HubConnection, limit: number): Promise<FleetRow[]> {
  const text = `SELECT ${columns} FROM ai_runtime.fleet_run WHERE state IN ('done', 'failed', 'stopped')
    ORDER BY updated DESC LIMIT $1`;
  return connection.run(async (sql) => [...(await sql.unsafe(text, [limit]))] as FleetRow[]);
}

/** The ids that start or end with a text. */
export async function findFleetIds(connection: HubConnection, part: string, limit: number): Promise<string[]> {
  const rows = await connection.run(
    (
      sql,
    ) => sql`SELECT id FROM ai_runtime.fleet_run WHERE starts_with(id, ${part}) OR right(id, ${part.length}) = ${part}
      ORDER BY id DESC LIMIT ${limit}`,
  );
  return rows.map(({ id }: { id: string }) => id);
}

/** False when it no longer waits. */
export async function placeFleetRun(
  connection: HubConnection,
  id: string,
  { priority, place }: { readonly priority: number; readonly place: number },
): Promise<boolean> {
  const rows = await connection.run(
    (sql) => sql`UPDATE ai_runtime.fleet_run SET priority = ${priority}, place = ${place}
      WHERE id = ${id} AND state IN ('queued', 'waiting') RETURNING id`,
  );
  return rows.length === 1;
}

export async function readFleetPatch(connection: HubConnection, id: string): Promise<Uint8Array | undefined> {
  const [row] = await connection.run((sql) => sql`SELECT content FROM ai_runtime.fleet_patch WHERE run = ${id}`);
  return row?.content as Uint8Array | undefined;
}

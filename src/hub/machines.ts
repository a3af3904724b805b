import type { HubConnection } from "./connection.ts";

export interface HubIdentity {
  readonly id: string;
  readonly keyCheck: Uint8Array;
}

/** Undefined when the database has a schema but no hub yet. */
export async function readIdentity(connection: HubConnection): Promise<HubIdentity | undefined> {
  const [row] = await connection.run((sql) => sql`SELECT id::text AS id, key_check FROM ai_runtime.hub`);
  return row && { id: row.id, keyCheck: row.key_check };
}

/** Of two clients at once, one creates the hub; both get what is there. */
export async function createIdentity(connection: HubConnection, { id, keyCheck }: HubIdentity): Promise<HubIdentity> {
  await connection.run(
    (sql) => sql`INSERT INTO ai_runtime.hub (id, key_check) VALUES (${id}, ${keyCheck}) ON CONFLICT DO NOTHING`,
  );
  return (await readIdentity(connection)) ?? { id, keyCheck };
}

export interface MachineRow {
  readonly id: string;
  readonly label: Uint8Array;
  readonly seen: Date;
  readonly departed: boolean;
  readonly sessions: number;
}

export async function registerMachine(connection: HubConnection, id: string, label: Uint8Array): Promise<void> {
  await connection.run(
    (sql) => sql`INSERT INTO ai_runtime.machine (id, label) VALUES (${id}, ${label})
      ON CONFLICT (id) DO UPDATE SET label = excluded.label, seen = now(), departed = NULL`,
  );
}

/** Its sessions stay in the hub, free for other machines. */
export async function departMachine(connection: HubConnection, id: string): Promise<void> {
  await connection.transaction(async (sql) => {
    await sql`UPDATE ai_runtime.machine SET departed = now() WHERE id = ${id}`;
    await sql`UPDATE ai_runtime.subject SET leased_until = now() WHERE holder = ${id} AND leased_until > now()`;
  });
}

export async function listMachines(connection: HubConnection): Promise<MachineRow[]> {
  const rows = await connection.run(
    (sql) => sql`SELECT m.id::text AS id, m.label, m.seen, m.departed IS NOT NULL AS departed,
        (SELECT count(*) FROM ai_runtime.subject s WHERE s.holder = m.id AND s.kind = 'session')::int AS sessions
      FROM ai_runtime.machine m ORDER BY m.joined`,
  );
  return [...rows] as MachineRow[];
}

export interface HubSize {
  readonly sessions: number;
  readonly bytes: number;
}

export async function measureHub(connection: HubConnection): Promise<HubSize> {
  const [row] = await connection.run(
    (sql) => sql`SELECT count(*) FILTER (WHERE kind = 'session')::int AS sessions,
        coalesce(sum(bytes), 0)::float8 AS bytes FROM ai_runtime.subject`,
  );
  return row as HubSize;
}

import { Failure } from "../core/failure.ts";
import { decideSchema } from "../core/hub/schema-version.ts";
import { type HubConnection, HubFailure, type Sql } from "./connection.ts";
import { migrations } from "./migrations.ts";

/** Any fixed number: every client must use the same one. */
const migrationLock = 0x61695f68;
const oldestServer = 140_000;

/** Creates the schema or brings it up to date. Two clients at once do it one after the other. */
export async function migrate(connection: HubConnection): Promise<void> {
  await refuseOldServer(connection);
  await connection.transaction(async (sql) => {
    await sql`SELECT pg_advisory_xact_lock(${migrationLock})`;
    const found = await foundVersion(sql);
    if (decideSchema(found, migrations.length) === "newer") throw newerSchema(connection, found ?? 0);
    if (found === undefined) {
      await sql`CREATE SCHEMA IF NOT EXISTS ai_runtime`;
      await sql`CREATE TABLE ai_runtime.migration (number int PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())`;
    }
    for (const [at, text] of migrations.entries()) {
      if (at < (found ?? 0)) continue;
      await sql.unsafe(text);
      await sql`INSERT INTO ai_runtime.migration (number) VALUES (${at + 1})`;
    }
  });
}

/** Refuses a schema that this client does not understand, in words. */
export async function checkSchema(connection: HubConnection): Promise<void> {
  await connection.run(async (sql) => {
    const found = await foundVersion(sql);
    switch (decideSchema(found, migrations.length)) {
      case "current":
        return;
      case "newer":
        throw newerSchema(connection, found ?? 0);
      case "older":
        throw new HubFailure("failed", `hub ${connection.address.shown}: its schema is of an older ai-runtime`, {
          hint: "Run ai-runtime hub init with a role that owns the schema; it brings the schema up to date.",
        });
      case "absent":
        throw new HubFailure("not-found", `hub ${connection.address.shown}: this database has no hub`, {
          hint: "Run ai-runtime hub init, or check the name of the database.",
        });
    }
  });
}

async function foundVersion(sql: Sql): Promise<number | undefined> {
  const [place] = await sql`SELECT to_regclass('ai_runtime.migration') IS NOT NULL AS present`;
  if (place.present !== true) return undefined;
  const [row] = await sql`SELECT coalesce(max(number), 0) AS number FROM ai_runtime.migration`;
  return Number(row.number);
}

async function refuseOldServer(connection: HubConnection): Promise<void> {
  const [row] = await connection.run((sql) => sql`SELECT current_setting('server_version_num')::int AS number`);
  if (row.number >= oldestServer) return;
  throw new Failure("failed", `hub ${connection.address.shown}: the hub needs PostgreSQL 14 or newer`);
}

const newerSchema = ({ address }: HubConnection, found: number): Failure =>
  new HubFailure(
    "failed",
    `hub ${address.shown}: its schema has version ${found}, and this ai-runtime knows versions up to ${migrations.length}`,
    { hint: "Update ai-runtime on this machine." },
  );

import type { LeaseView } from "../core/hub/lease.ts";
import type { HubConnection, Sql } from "./connection.ts";
import { byteaArray } from "./sql-values.ts";

/** What the database knows of a session, a run or a workspace. Its contents are encrypted. */
export interface Head extends LeaseView {
  readonly id: string;
  readonly kind: string;
  /** Counts every change. */
  readonly seq: number;
  /** Counts every change of the writer: a writer with an older number cannot write. */
  readonly fence: number;
  readonly manifest: Uint8Array;
  readonly label: Uint8Array;
  readonly bytes: number;
  readonly updated: Date;
}

export interface Chunk {
  readonly stream: string;
  readonly start: number;
  readonly length: number;
  readonly link: string;
  readonly content: Uint8Array;
}

export interface Commit {
  readonly id: string;
  readonly kind: string;
  readonly machine: string;
  /** What the writer saw; undefined for a new subject. */
  readonly expected: Pick<Head, "seq" | "fence"> | undefined;
  readonly manifest: Uint8Array;
  readonly label: Uint8Array;
  readonly tags: readonly Uint8Array[];
  readonly bytes: number;
  readonly chunks: readonly Chunk[];
  /** 0 lets other machines take it at once. */
  readonly leaseSeconds: number;
}

/** `fenced`: another machine has written or taken it since; nothing was changed. */
export type CommitResult = "committed" | "fenced";

/** Chunks and manifest in one transaction, together with the check of the fencing number. */
export function commit(connection: HubConnection, change: Commit): Promise<CommitResult> {
  return connection.transaction(async (sql) => {
    const written = change.expected === undefined ? await insertHead(sql, change) : await updateHead(sql, change);
    if (!written) return "fenced";
    for (const { stream, start, length, link, content } of change.chunks) {
      await sql`INSERT INTO ai_runtime.chunk (subject, stream, start, length, link, content)
        VALUES (${change.id}, ${stream}, ${start}, ${length}, ${Buffer.from(link, "hex")}, ${content})`;
    }
    await note(sql, change.id, "write", change.machine);
    return "committed";
  });
}

async function insertHead(sql: Sql, change: Commit): Promise<boolean> {
  const { id, kind, machine, manifest, label, bytes, leaseSeconds } = change;
  const rows = await sql`INSERT INTO ai_runtime.subject
      (id, kind, seq, fence, holder, leased_until, manifest, label, tags, bytes)
    VALUES (${id}, ${kind}, 1, 1, ${machine}, now() + make_interval(secs => ${leaseSeconds}), ${manifest}, ${label},
      ${byteaArray(change.tags)}::bytea[], ${bytes})
    ON CONFLICT DO NOTHING RETURNING id`;
  return rows.length === 1;
}

async function updateHead(sql: Sql, change: Commit): Promise<boolean> {
  const { id, machine, manifest, label, bytes, leaseSeconds, expected } = change;
  const rows = await sql`UPDATE ai_runtime.subject SET seq = seq + 1, manifest = ${manifest}, label = ${label},
      tags = ${byteaArray(change.tags)}::bytea[], bytes = ${bytes}, updated = now(),
      leased_until = now() + make_interval(secs => ${leaseSeconds})
    WHERE id = ${id} AND holder = ${machine} AND seq = ${expected?.seq ?? 0} AND fence = ${expected?.fence ?? 0}
    RETURNING id`;
  return rows.length === 1;
}

/** The database's own journal: who wrote and who took over, in which order. */
async function note(sql: Sql, subject: string, what: "write" | "take", machine: string): Promise<void> {
  await sql`INSERT INTO ai_runtime.journal (subject, what, machine, fence, seq)
    SELECT id, ${what}, ${machine}, fence, seq FROM ai_runtime.subject WHERE id = ${subject}`;
}

export async function readHead(connection: HubConnection, id: string): Promise<Head | undefined> {
  const text = `SELECT ${headColumns} FROM ai_runtime.subject WHERE id = $1`;
  const [head] = await connection.run((sql) => sql.unsafe(text, [id]));
  return head as Head | undefined;
}

const headColumns = `id, kind, seq::float8 AS seq, fence::float8 AS fence, holder::text AS holder, manifest, label,
  bytes::float8 AS bytes, updated, extract(epoch FROM leased_until - now())::float8 * 1000 AS "leftMs"`;

/** Newest first. With tags, only those with one of them. */
export function listHeads(
  connection: HubConnection,
  kind: string,
  { tags, limit }: { readonly tags?: readonly Uint8Array[]; readonly limit: number },
): Promise<Head[]> {
  const wanted =
    tags === undefined ? "" : `AND tags && ARRAY[${tags.map((_, at) => `$${at + 3}`).join(", ")}]::bytea[]`;
  const text = `SELECT ${headColumns} FROM ai_runtime.subject WHERE kind = $1 ${wanted} ORDER BY updated DESC LIMIT $2`;
  return connection.run(async (sql) => [...(await sql.unsafe(text, [kind, limit, ...(tags ?? [])]))] as Head[]);
}

/** The ids that start with a text, for a user who gives the beginning of an id. */
export function findHeads(connection: HubConnection, kind: string, start: string, limit: number): Promise<Head[]> {
  const text = `SELECT ${headColumns} FROM ai_runtime.subject WHERE kind = $1 AND starts_with(id, $2) ORDER BY updated DESC LIMIT $3`;
  return connection.run(async (sql) => [...(await sql.unsafe(text, [kind, start, limit]))] as Head[]);
}

/** Not changed for this long, by the clock of the database; oldest first. */
export function listOld(connection: HubConnection, kind: string, ageMs: number): Promise<Head[]> {
  const text = `SELECT ${headColumns} FROM ai_runtime.subject
    WHERE kind = $1 AND updated < now() - make_interval(secs => $2) ORDER BY updated`;
  return connection.run(async (sql) => [...(await sql.unsafe(text, [kind, ageMs / 1000]))] as Head[]);
}

/** The chunks of a stream from an offset on, in order. */
export async function readChunks(
  connection: HubConnection,
  subject: string,
  stream: string,
  range: { readonly from: number; readonly limit: number },
): Promise<Chunk[]> {
  const rows = await connection.run(
    (sql) => sql`SELECT stream, start::float8 AS start, length, encode(link, 'hex') AS link, content
      FROM ai_runtime.chunk WHERE subject = ${subject} AND stream = ${stream} AND start >= ${range.from}
      ORDER BY start LIMIT ${range.limit}`,
  );
  return [...rows] as Chunk[];
}

/** Its chunks go with it. Refused while another machine writes it. */
export async function removeSubject(connection: HubConnection, id: string, machine: string): Promise<boolean> {
  const rows = await connection.run(
    (sql) => sql`DELETE FROM ai_runtime.subject
      WHERE id = ${id} AND (holder = ${machine} OR leased_until <= now()) RETURNING id`,
  );
  return rows.length === 1;
}

/** Takes a free lease under the next fencing number. Undefined when another machine was faster or still holds it. */
export function takeLease(
  connection: HubConnection,
  { id, seq, fence }: Pick<Head, "id" | "seq" | "fence">,
  machine: string,
  leaseSeconds: number,
): Promise<number | undefined> {
  return connection.transaction(async (sql) => {
    const [row] = await sql`UPDATE ai_runtime.subject SET fence = fence + 1, holder = ${machine},
        leased_until = now() + make_interval(secs => ${leaseSeconds})
      WHERE id = ${id} AND seq = ${seq} AND fence = ${fence} AND (holder = ${machine} OR leased_until <= now())
      RETURNING fence::float8 AS fence`;
    if (!row) return undefined;
    await note(sql, id, "take", machine);
    return row.fence as number;
  });
}

/** Returns the ids that this machine still holds: of the others, another machine has become the writer. */
export async function renewLeases(
  connection: HubConnection,
  ids: readonly string[],
  machine: string,
  leaseSeconds: number,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const places = ids.map((_, at) => `$${at + 3}`).join(", ");
  const text = `UPDATE ai_runtime.subject SET leased_until = now() + make_interval(secs => $2)
    WHERE holder = $1 AND id IN (${places}) RETURNING id`;
  const rows = await connection.run((sql) => sql.unsafe(text, [machine, leaseSeconds, ...ids]));
  return rows.map(({ id }: { id: string }) => id);
}

/** Other machines may take them at once. */
export async function releaseLeases(connection: HubConnection, ids: readonly string[], machine: string): Promise<void> {
  if (ids.length > 0) await renewLeases(connection, ids, machine, 0);
}

const journalDays = 30;

export async function markSeen(connection: HubConnection, machine: string): Promise<void> {
  await connection.run((sql) => sql`UPDATE ai_runtime.machine SET seen = now() WHERE id = ${machine}`);
}

export async function trimJournal(connection: HubConnection): Promise<void> {
  await connection.run(
    (sql) => sql`DELETE FROM ai_runtime.journal WHERE at < now() - make_interval(days => ${journalDays})`,
  );
}

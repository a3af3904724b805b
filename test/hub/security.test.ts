// What the database sees, and what a machine refuses from it.
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Workstation } from "../support/hub/moving-session.ts";
import type { TestPostgres } from "../support/hub/postgres.ts";
import { sharedPostgres, startTimeoutMs } from "../support/hub/shared-postgres.ts";

let postgres: TestPostgres;
beforeAll(async () => void (postgres = await sharedPostgres()), startTimeoutMs);

const session = "11111111-2222-4333-8444-555555555555";
const secret = "PLANTED-SECRET-7f3a9c";

interface World extends Disposable {
  a: Workstation;
  b: Workstation;
  query(text: string): Promise<Record<string, unknown>[]>;
}

/** A session of A in the hub, with several chunks; B has joined. */
async function replicated(): Promise<World> {
  const a = new Workstation("a");
  const b = new Workstation("b");
  const url = await postgres.createDatabase();
  await b.join(await a.init(url));
  for (const word of [secret, "second", "third"]) {
    await a.turn(session, word);
    await a.sync();
  }
  return {
    a,
    b,
    query: (text) => postgres.query(text, new URL(url).pathname.slice(1)),
    [Symbol.dispose]: () => [a, b].forEach((each) => each[Symbol.dispose]()),
  };
}

/** The server may remove a file while the test reads the others. */
function readIfPresent(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return Buffer.alloc(0);
  }
}

test("no plain text is in the tables, the log or any other file of the database", async () => {
  using world = await replicated();
  const { a, query } = world;
  expect(a.words(session)).toContain(secret);
  await query("CHECKPOINT");
  const { key } = a.config();
  const hidden: [what: string, bytes: Buffer][] = [
    ["the secret", Buffer.from(secret)],
    ["the path", Buffer.from(a.checkout)],
    ["the key as text", Buffer.from(key)],
    ["the key as bytes", Buffer.from(key, "base64url")],
  ];
  // Everything that the server has on disk, also what a dump would not show. The session's id is visible by design.
  const found = { "the session's id": 0, leaks: [] as string[] };
  for (const name of new Bun.Glob("**/*").scanSync({ cwd: postgres.dataDirectory, dot: true })) {
    const content = readIfPresent(join(postgres.dataDirectory, name));
    found.leaks.push(...hidden.filter(([, bytes]) => content.includes(bytes)).map(([what]) => `${what} in ${name}`));
    if (content.includes(session)) found["the session's id"] += 1;
  }
  expect(found.leaks).toEqual([]);
  expect(found["the session's id"]).toBeGreaterThan(0);
  const rows = JSON.stringify(await query("SELECT *, encode(content, 'escape') AS text FROM ai_runtime.chunk"));
  expect(rows).not.toContain(secret);
});

describe("a machine refuses in words, and writes nothing", () => {
  const mirror = `(SELECT stream FROM ai_runtime.chunk WHERE subject = '${session}' GROUP BY stream HAVING count(*) = 3 LIMIT 1)`;
  const where = `subject = '${session}' AND stream = ${mirror}`;
  const attacks: [title: string, statements: string[], words: RegExp][] = [
    [
      "a changed chunk",
      [
        `UPDATE ai_runtime.chunk SET content = set_byte(content, 20, get_byte(content, 20) # 1) WHERE ${where} AND start = 0`,
      ],
      /does not follow|was changed/,
    ],
    [
      "a changed chunk with a link that fits",
      [
        `UPDATE ai_runtime.chunk SET content = set_byte(content, 20, get_byte(content, 20) # 1) WHERE ${where} AND start = 0`,
        `UPDATE ai_runtime.chunk c SET link = sha256(convert_to(E'\\nchunk|${session}|' || c.stream || E'|0|\\n', 'UTF8') || c.content) WHERE ${where} AND start = 0`,
      ],
      /was changed, or belongs elsewhere/,
    ],
    [
      "a missing last chunk",
      [
        `DELETE FROM ai_runtime.chunk WHERE ${where} AND start = (SELECT max(start) FROM ai_runtime.chunk WHERE ${where})`,
      ],
      /it ends at byte/,
    ],
    ["a missing first chunk", [`DELETE FROM ai_runtime.chunk WHERE ${where} AND start = 0`], /is missing/],
    [
      "chunks in another order",
      [
        `CREATE TEMP TABLE first AS SELECT content, link FROM ai_runtime.chunk WHERE ${where} ORDER BY start LIMIT 1;
         UPDATE ai_runtime.chunk c SET content = o.content, link = o.link FROM (SELECT content, link, length FROM ai_runtime.chunk WHERE ${where} ORDER BY start DESC LIMIT 1) o WHERE ${where} AND start = 0`,
      ],
      /does not follow|was changed/,
    ],
    [
      "an older manifest under a newer number",
      [`UPDATE ai_runtime.subject SET seq = seq + 1 WHERE id = '${session}'`],
      /is not what a machine of this hub wrote/,
    ],
    [
      "the manifest of another session",
      [
        `INSERT INTO ai_runtime.subject SELECT '99999999-2222-4333-8444-555555555555', kind, seq, fence, holder, leased_until, manifest, label, tags, bytes FROM ai_runtime.subject WHERE id = '${session}'`,
        `UPDATE ai_runtime.subject SET id = '88888888-2222-4333-8444-555555555555' WHERE id = 'none'`,
      ],
      /is not what a machine of this hub wrote|has no session/,
    ],
  ];
  test.each(attacks)("%s", async (title, statements, words) => {
    using world = await replicated();
    const { b, query } = world;
    for (const text of statements) await query(text);
    const id = title.includes("another session") ? "99999999-2222-4333-8444-555555555555" : session;
    const refused = await b.hub(["fetch", id, "--into", b.checkout]);
    expect(refused.stderr).toMatch(words);
    expect(refused.exitCode).toBe(6);
    expect(b.started()).toEqual([]);
    expect(existsSync(b.transcriptHere(id))).toBe(false);
  });

  test("a replayed older state, on a machine that has seen a newer one", async () => {
    using world = await replicated();
    const { a, b, query } = world;
    await query("CREATE TABLE kept AS SELECT * FROM ai_runtime.subject");
    await query("CREATE TABLE kept_chunks AS SELECT * FROM ai_runtime.chunk");
    expect((await b.cclaude(["--resume", session])).exitCode).toBe(0);
    await b.turn(session, "newer");
    await b.sync();
    expect((await a.cclaude(["--resume", session])).exitCode).toBe(0);
    const before = a.words(session);
    await query(
      `DELETE FROM ai_runtime.subject; INSERT INTO ai_runtime.subject SELECT * FROM kept; INSERT INTO ai_runtime.chunk SELECT * FROM kept_chunks`,
    );
    await query(`UPDATE ai_runtime.subject SET holder = '${b.config().machine}'`);
    const refused = await a.cclaude(["--resume", session]);
    expect(refused).toMatchObject({ exitCode: 6, stderr: expect.stringContaining("older state") });
    expect(a.words(session)).toEqual(before);
  });
});

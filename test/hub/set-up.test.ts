// Joining and leaving a hub, with the built executable and a real PostgreSQL.
import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, chownSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../../src/hub/migrations.ts";
import { readInvitation, writeInvitation } from "../../src/core/hub/hub-config.ts";
import { HubMachine } from "../support/hub/machine.ts";
import type { TestPostgres } from "../support/hub/postgres.ts";
import { sharedPostgres, startTimeoutMs } from "../support/hub/shared-postgres.ts";

let postgres: TestPostgres;
beforeAll(async () => void (postgres = await sharedPostgres()), startTimeoutMs);

const databaseOf = (url: string): string => new URL(url).pathname.slice(1);

test("init, join, status and leave, with the key only in a private file", async () => {
  using laptop = new HubMachine();
  using server = new HubMachine();
  const url = await postgres.createDatabase();
  const line = await laptop.init(url);
  expect(statSync(laptop.configPath).mode & 0o777).toBe(0o600);
  await server.join(line);
  expect(server.config()).toMatchObject({ key: laptop.config().key, hub: laptop.config().hub });
  expect(server.config().machine).not.toBe(laptop.config().machine);
  // Both again: nothing changes.
  expect(await laptop.init(url)).toBe(line);
  const { machine } = server.config();
  await server.join(line);
  expect(server.config().machine).toBe(machine);
  const status = JSON.parse((await server.succeed(["hub", "status", "--json"])).stdout);
  expect(status).toMatchObject({ sessions: 0, machines: [{ isThis: false }, { isThis: true, id: machine }] });
  await server.succeed(["hub", "leave"]);
  expect(existsSync(server.configPath)).toBe(false);
  const after = JSON.parse((await laptop.succeed(["hub", "status", "--json"])).stdout);
  expect(after.machines.map(({ departed }: { departed: boolean }) => departed)).toEqual([false, true]);
  const dump = JSON.stringify(await postgres.query("SELECT * FROM ai_runtime.machine", databaseOf(url)));
  expect(dump).not.toContain(Buffer.from(laptop.config().key, "base64url").toString("hex"));
});

test("two machines that create the hub at the same moment get one hub", async () => {
  const url = await postgres.createDatabase();
  using one = new HubMachine();
  using other = new HubMachine();
  const results = await Promise.all([one.hub(["init", url]), other.hub(["init", url])]);
  expect(results.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1]);
  expect(results.find(({ exitCode }) => exitCode === 1)?.stderr).toContain("already has a hub");
  expect(await postgres.query("SELECT number FROM ai_runtime.migration", databaseOf(url))).toHaveLength(
    migrations.length,
  );
});

describe("refuses in words", () => {
  test("secrets on the command line", async () => {
    using machine = new HubMachine();
    const withPassword = await machine.hub(["init", "postgres://me:hunter2@127.0.0.1/work"]);
    expect(withPassword.stderr).not.toContain("hunter2");
    expect(withPassword).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("AI_RUNTIME_HUB_URL") });
    expect(await machine.hub(["join", "aihub1:abc"])).toMatchObject({ exitCode: 2 });
    expect(existsSync(machine.configPath)).toBe(false);
  });

  test("another key, another hub, a newer schema, and a file that others can read", async () => {
    using machine = new HubMachine();
    using stranger = new HubMachine();
    const url = await postgres.createDatabase();
    const line = await machine.init(url);
    const invitation = readInvitation(line);
    if (!invitation) throw new Error(line);
    const wrongKey = await stranger.hub(["join"], writeInvitation({ ...invitation, key: "B".repeat(43) }));
    expect(wrongKey).toMatchObject({ exitCode: 77, stderr: expect.stringContaining("not the key of the hub") });
    expect(existsSync(stranger.configPath)).toBe(false);
    const wrongHub = writeInvitation({ ...invitation, hub: crypto.randomUUID() });
    expect((await stranger.hub(["join"], wrongHub)).stderr).toContain("another hub");
    await postgres.query("INSERT INTO ai_runtime.migration (number) VALUES (99)", databaseOf(url));
    for (const words of [["status"], ["init", url]]) {
      expect(await machine.hub(words)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining("Update ai-runtime"),
      });
    }
    chmodSync(machine.configPath, 0o644);
    expect((await machine.hub(["status"])).stderr).toContain("chmod 600");
  });

  test("a database that is away, unknown or without a hub", async () => {
    using machine = new HubMachine();
    const away = await machine.hub(["init", "postgres://me@127.0.0.1:1/work"]);
    expect(away).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("cannot be reached") });
    expect((await machine.hub(["init", postgres.url("nowhere")])).stderr).toContain("does not exist");
    const url = await postgres.createDatabase();
    const line = writeInvitation({ url, key: "A".repeat(43), hub: crypto.randomUUID() });
    expect(await machine.hub(["join"], line)).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("no hub") });
    expect(await machine.hub(["status"])).toMatchObject({ exitCode: 4 });
    expect(existsSync(machine.configPath)).toBe(false);
  });
});

test("leaving works while the hub is away, and says that the hub still lists the machine", async () => {
  using machine = new HubMachine();
  const url = await postgres.createDatabase();
  await machine.init(url);
  writeFileSync(machine.configPath, JSON.stringify({ ...machine.config(), url: "postgres://me@127.0.0.1:1/work" }));
  const left = await machine.hub(["leave"]);
  expect(left).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("still lists this machine") });
  expect(existsSync(machine.configPath)).toBe(false);
});

test("a role with the documented grants joins, but cannot create the schema", async () => {
  using owner = new HubMachine();
  using machine = new HubMachine();
  const url = await postgres.createDatabase();
  const database = databaseOf(url);
  const role = `machines_${database}`;
  const weak = postgres.url(database, role);
  await postgres.query(`CREATE ROLE ${role} LOGIN`);
  expect((await machine.hub(["init", weak])).stderr).toContain("docs/HUB.md");
  const line = await owner.init(url);
  await postgres.query(documentedGrants(role), database);
  const invitation = readInvitation(line);
  if (!invitation) throw new Error(line);
  await machine.join(writeInvitation({ ...invitation, url: weak }));
  await machine.succeed(["hub", "status"]);
});

/** Taken from the page, so that the page is what is tested. */
function documentedGrants(role: string): string {
  const page = readFileSync(join(import.meta.dir, "../../docs/HUB.md"), "utf8");
  const text = /```sql\n([\s\S]*?GRANT[\s\S]*?)```/.exec(page)?.[1];
  if (text === undefined) throw new Error("docs/HUB.md shows no grants");
  return text.replaceAll(/\bmachines\b/g, role).replaceAll(/^CREATE ROLE.*$/gm, "");
}

/** Makes the server use a certificate of its own for these names; returns its path. */
async function useCertificate(home: string, names: string): Promise<string> {
  const [key, certificate] = ["server.key", "server.crt"].map((name) => join(home, name)) as [string, string];
  const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", certificate];
  const made = Bun.spawnSync(["openssl", ...words, "-subj", "/CN=hub", "-addext", `subjectAltName=${names}`]);
  expect(made.exitCode).toBe(0);
  for (const path of [key, certificate]) {
    const copy = join(postgres.dataDirectory, path.split("/").at(-1) ?? "");
    copyFileSync(path, copy);
    chmodSync(copy, 0o600);
    const { uid, gid } = statSync(postgres.dataDirectory);
    chownSync(copy, uid, gid);
  }
  await postgres.stop("fast");
  await postgres.startAgain(["ssl=on", "ssl_cert_file=server.crt", "ssl_key_file=server.key"]);
  return certificate;
}

test.skipIf(!Bun.which("openssl"))("TLS: a certificate must be trusted and be valid for the host", async () => {
  using machine = new HubMachine();
  const url = `${await postgres.createDatabase()}?sslmode=verify-full`;
  const plain = await machine.hub(["init", url]);
  expect(plain).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("offers no TLS") });
  const foreign = await useCertificate(machine.home, "DNS:other.example.org");
  const wrongHost = await machine.hub(["init", `${url}&sslrootcert=${foreign}`]);
  expect(wrongHost).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("certificate") });
  const own = await useCertificate(machine.home, "DNS:localhost,IP:127.0.0.1");
  const unknown = await machine.hub(["init", url]);
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("sslrootcert") });
  expect(await machine.hub(["init", `${url}&sslrootcert=${own}`])).toMatchObject({ exitCode: 0 });
});

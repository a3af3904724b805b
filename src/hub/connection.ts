import { Failure, type FailureKind } from "../core/failure.ts";
import type { HubAddress } from "../core/hub/hub-address.ts";
import { messageOf } from "../core/message-of.ts";
import { readText } from "../io/files/read-file.ts";

/** A connection, or a transaction on one. */
export type Sql = Bun.SQL | Bun.TransactionSQL;

const maxConnections = 3;
const idleTimeoutSeconds = 30;
/** Commands of the user wait for it when the hub does not answer at all. */
const connectionTimeoutSeconds = 5;
/** A statement that waits longer than this is ended by the server. */
const statementTimeoutMs = 60_000;

/** Connects lazily: errors appear at the first statement. Every error leaves here in words. */
export class HubConnection {
  readonly #sql: Bun.SQL;
  readonly address: HubAddress;

  constructor(address: HubAddress) {
    this.address = address;
    const url = new URL(address.url);
    const { socketDirectory, port, tls, certificates } = address;
    this.#sql = new Bun.SQL({
      adapter: "postgres",
      hostname: socketDirectory === undefined ? url.hostname.replace(/^\[(.*)\]$/, "$1") : "localhost",
      port,
      database: decodeURIComponent(url.pathname.slice(1)),
      username: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password || (url.searchParams.get("password") ?? "")),
      ...(socketDirectory === undefined ? {} : { path: `${socketDirectory}/.s.PGSQL.${port}` }),
      tls: tls === "off" ? false : { rejectUnauthorized: true, ...certificatesFrom(certificates) },
      max: maxConnections,
      idleTimeout: idleTimeoutSeconds,
      connectionTimeout: connectionTimeoutSeconds,
      // Named statements would not survive a pooler that gives each transaction another connection.
      prepare: false,
    });
  }

  /** Runs statements outside of a transaction. */
  async run<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.#sql);
    } catch (error) {
      throw this.#inWords(error);
    }
  }

  /** Either everything of the body happens, or nothing. */
  async transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    try {
      return await this.#sql.begin(async (sql) => {
        await sql.unsafe(`SET LOCAL statement_timeout = ${statementTimeoutMs}`);
        return work(sql);
      });
    } catch (error) {
      throw this.#inWords(error);
    }
  }

  async close(): Promise<void> {
    await this.#sql.close({ timeout: 0 });
  }

  #inWords(error: unknown): unknown {
    if (error instanceof Failure) return error;
    const { code = "", errno = "" } = (error ?? {}) as { code?: string; errno?: string | number };
    const { kind = "failed", reason, hint } = explain(code, String(errno), messageOf(error));
    const hinted = hint === undefined ? {} : { hint };
    return new HubFailure(kind, `hub ${this.address.shown}: ${reason}`, { ...hinted, cause: error });
  }
}

/** The hub cannot do it now. Local work is not affected; replication tries again later. */
export class HubFailure extends Failure {}

function certificatesFrom(path: string | undefined): { ca?: string } {
  if (path === undefined) return {};
  const text = readText(path);
  if (text === undefined) throw new Failure("failed", `there is no certificate file ${path}`);
  return { ca: text };
}

interface Explanation {
  readonly kind?: FailureKind;
  readonly reason: string;
  readonly hint?: string;
}

/** By SQLSTATE first, then by the client's own code. */
function explain(code: string, state: string, message: string): Explanation {
  if (state.startsWith("28")) {
    return { kind: "authentication", reason: message, hint: "Check the user and the password in the address." };
  }
  const known = bySqlState[state];
  if (known) return { reason: known.reason ?? message, hint: known.hint };
  if (code === "ERR_POSTGRES_TLS_NOT_AVAILABLE") {
    const hint = "Turn on TLS there; only loopback and Unix sockets work without it.";
    return { reason: "the server offers no TLS", hint };
  }
  if (/CERT|certificate|self.signed|altname/i.test(`${code} ${message}`)) {
    const hint = "Name the file of its certificate authority: ?sslrootcert=/path/to/ca.pem";
    return { reason: `its certificate is not trusted (${message})`, hint };
  }
  // What has no SQLSTATE did not come from the server.
  if (code.startsWith("ERR_POSTGRES") && !/^[0-9A-Z]{5}$/.test(state)) {
    return { reason: `cannot be reached (${message})`, hint: "Check that it runs and that this machine can reach it." };
  }
  return { reason: message };
}

const pooled = { hint: "A connection pooler is in between: set it to session mode." };
const restarting = { reason: "it is restarting", hint: "Try again in a moment." };

const bySqlState: Readonly<Record<string, { readonly reason?: string; readonly hint: string }>> = {
  "26000": pooled,
  "3D000": { hint: "Create the database, or correct its name in the address." },
  "42501": { hint: "Give the role the grants in docs/HUB.md." },
  "42P05": pooled,
  "53100": { reason: "its disk is full", hint: "Free space there; replication continues by itself." },
  "53300": { reason: "it has no free connection", hint: "Raise max_connections there, or use a pooler." },
  "57P01": restarting,
  "57P03": restarting,
};

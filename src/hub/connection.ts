import { Failure } from "../core/failure.ts";
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
    const [reason, hint] = explain(code, String(errno), messageOf(error));
    const kind = reason === "refused" ? "authentication" : "failed";
    return new HubFailure(kind, `hub ${this.address.shown}: ${reason === "refused" ? messageOf(error) : reason}`, {
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    });
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

/** SQLSTATE, the client's own code, and what to do about it. */
function explain(code: string, state: string, message: string): [reason: string, hint?: string] {
  if (state.startsWith("28")) return ["refused", "Check the user and the password in the address."];
  if (state === "3D000") return [message, "Create the database, or correct its name in the address."];
  if (state === "42501") return [message, "Give the role the grants in docs/HUB.md."];
  if (state === "53100") return ["its disk is full", "Free space there; replication continues by itself."];
  if (state === "53300") return ["it has no free connection", "Raise max_connections there, or use a pooler."];
  if (state === "57P01" || state === "57P03") return ["it is restarting", "Try again in a moment."];
  if (state === "26000" || state === "42P05")
    return [message, "A connection pooler is in between: set it to session mode."];
  if (code === "ERR_POSTGRES_TLS_NOT_AVAILABLE")
    return ["the server offers no TLS", "Turn on TLS there; only loopback and Unix sockets work without it."];
  if (/CERT|certificate|self.signed|altname/i.test(`${code} ${message}`))
    return [
      `its certificate is not trusted (${message})`,
      "Name the file of its certificate authority: ?sslrootcert=/path/to/ca.pem",
    ];
  if (code.startsWith("ERR_POSTGRES_CONNECTION") || code === "ERR_POSTGRES_IDLE_TIMEOUT")
    return [`cannot be reached (${message})`, "Check that it runs and that this machine can reach it."];
  return [message];
}

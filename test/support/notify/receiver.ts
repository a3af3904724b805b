// Receivers of notifications on loopback: good ones, and ones that fail in every way.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../until.ts";

export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Behavior = "answers" | "fails" | "hangs" | "floods" | "redirects";

/** A server on loopback that records what it receives. */
export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  /** Requests without an answer so far. */
  open = 0;
  readonly #server: Bun.Server<undefined>;
  readonly #certificate: string | undefined;

  constructor(behavior: Behavior, { selfSigned = false } = {}) {
    this.#certificate = selfSigned ? makeCertificate() : undefined;
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 60,
      ...(this.#certificate === undefined ? {} : { tls: tlsOf(this.#certificate) }),
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        const headers = Object.fromEntries(request.headers);
        this.received.push({ path: pathname, headers, body: await request.text() });
        return this.#answer(behavior, request.signal);
      },
    });
  }

  get url(): string {
    const scheme = this.#certificate === undefined ? "http" : "https";
    return `${scheme}://127.0.0.1:${this.#server.port}`;
  }

  /** The events of all messages so far, in order. */
  get events(): string[] {
    return this.received
      .flatMap(({ body }) => (JSON.parse(body) as { events: { event: string }[] }).events)
      .map(({ event }) => event);
  }

  untilReceived(count: number): Promise<readonly Received[]> {
    const what = (): string => `${count} messages, got ${JSON.stringify(this.received)}`;
    return until(() => this.received.length >= count && this.received, what);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
    if (this.#certificate !== undefined) rmSync(this.#certificate, { recursive: true });
  }

  async #answer(behavior: Behavior, gone: AbortSignal): Promise<Response> {
    switch (behavior) {
      case "answers":
        return new Response("ok");
      case "fails":
        return new Response("no", { status: 500 });
      case "redirects":
        return Response.redirect("http://127.0.0.1:9/elsewhere", 307);
      case "hangs": {
        this.open += 1;
        const left = Promise.withResolvers<void>();
        gone.addEventListener("abort", () => left.resolve());
        await left.promise;
        this.open -= 1;
        return new Response("late");
      }
      case "floods": {
        const piece = new Uint8Array(1_000_000);
        return new Response(new ReadableStream({ pull: (to) => to.enqueue(piece) }));
      }
    }
  }
}

/** A certificate that no client trusts. */
function makeCertificate(): string {
  const directory = mkdtempSync(join(tmpdir(), "certificate-"));
  const words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  const made = Bun.spawnSync(
    ["openssl", ...words, "-subj", "/CN=127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"],
    {
      cwd: directory,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  return directory;
}

const tlsOf = (directory: string): Bun.TLSOptions => ({
  key: readFileSync(join(directory, "key.pem"), "utf8"),
  cert: readFileSync(join(directory, "cert.pem"), "utf8"),
});

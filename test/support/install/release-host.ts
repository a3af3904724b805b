// A local server for release downloads: archives and checksums of small stand-in scripts or of the real executable.
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns the answer to send instead of the file, or undefined to send the file. */
type Fault = (path: string, file: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | "missing" | "stall" | undefined;

export class ReleaseHost implements Disposable {
  readonly #scratch = mkdtempSync(join(tmpdir(), "release-"));
  readonly #files = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly #server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => this.#answer(request) });
  readonly requests: string[] = [];
  fault: Fault = () => undefined;
  onRequest: (path: string) => void = () => {};

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/releases`;
  }

  /** Publishes an executable as both kinds of archive; the last published version becomes "latest". */
  publish(version: string, executable: string, target: string = hostTarget()): void {
    const archives = [
      [`ai-runtime-${target}.tar.xz`, "xz -0"],
      [`ai-runtime-${target}.tar.gz`, "gzip"],
    ] as const;
    this.#publish(version, executable, archives);
  }

  /** Publishes an executable as a single archive. */
  publishOne(version: string, executable: string, name: string, compressor: string): void {
    this.#publish(version, executable, [[name, compressor]]);
  }

  /** A script that prints this version, records its calls in ~/calls, and installs shims like the real executable. */
  standIn(version: string): string {
    const path = join(this.#scratch, `stand-in-${version}`);
    writeFileSync(
      path,
      `#!/bin/sh
[ "$1" = --version ] || printf '%s\\n' "${version} $*" >>"$HOME/calls"
here=$(dirname -- "$0")
case $1 in
  --version) echo "ai-runtime ${version} (stand-in)" ;;
  install) for name in cclaude session-snapshot; do printf '#!/bin/sh\\n' >"$here/$name"; chmod 755 "$here/$name"; done ;;
  uninstall) rm -f "$here/cclaude" "$here/session-snapshot" ;;
  man) echo '.TH AI-RUNTIME 1' ;;
esac
`,
    );
    chmodSync(path, 0o755);
    return path;
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  #publish(
    version: string,
    executable: string,
    archives: readonly (readonly [name: string, compressor: string])[],
  ): void {
    const sums = archives.map(([name, compressor]) => {
      const archive = this.#pack(executable, name, compressor);
      this.#put(version, name, archive);
      return `${createHash("sha256").update(archive).digest("hex")}  ${name}\n`;
    });
    this.#put(version, "SHA256SUMS", new TextEncoder().encode(sums.join("")));
  }

  #put(version: string, name: string, file: Uint8Array<ArrayBuffer>): void {
    this.#files.set(`/releases/download/v${version}/${name}`, file);
    this.#files.set(`/releases/latest/download/${name}`, file);
  }

  #pack(executable: string, name: string, compressor: string): Uint8Array<ArrayBuffer> {
    const content = join(this.#scratch, "content");
    mkdirSync(content, { recursive: true });
    copyFileSync(executable, join(content, "ai-runtime"));
    chmodSync(join(content, "ai-runtime"), 0o755);
    const path = join(this.#scratch, name);
    const command = ["tar", `--use-compress-program=${compressor}`, "-cf", path, "-C", content, "ai-runtime"];
    const tar = Bun.spawnSync(command);
    if (tar.exitCode !== 0) throw new Error(`tar: ${tar.stderr.toString()}`);
    return new Uint8Array(readFileSync(path));
  }

  #answer(request: Request): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    this.requests.push(pathname);
    this.onRequest(pathname);
    const file = this.#files.get(pathname);
    const answer = file && (this.fault(pathname, file) ?? file);
    if (answer === "stall") return Promise.withResolvers<Response>().promise;
    return answer === undefined || answer === "missing"
      ? new Response("not found", { status: 404 })
      : new Response(answer);
  }
}

export function hostTarget(): string {
  const system = process.platform === "darwin" ? "darwin" : "linux";
  const musl = system === "linux" && Bun.spawnSync(["ldd", "--version"]).stderr.toString().includes("musl");
  return `${system}-${process.arch === "arm64" ? "arm64" : "x64"}${musl ? "-musl" : ""}`;
}

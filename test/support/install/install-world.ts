import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { CommandResult } from "../run-program.ts";
import { ReleaseHost } from "./release-host.ts";

/** The tools that install.sh needs, except those for downloads and checksums. */
export const requiredTools =
  "awk basename cat chmod cp cut dirname getconf grep gzip ldd mkdir mv rm rmdir sed sh tar uname xz".split(" ");

const script = join(import.meta.dir, "../../../install.sh");

/** An empty home, a release host, and a copy of install.sh outside the repository. */
export class InstallWorld implements Disposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "install-")));
  readonly home = join(this.root, "home");
  readonly bin = join(this.home, ".local/bin");
  readonly receipt = join(this.home, ".local/state/ai-runtime/install-receipt");
  readonly host = new ReleaseHost();
  readonly env: Record<string, string> = {
    HOME: this.home,
    PATH: "/usr/bin:/bin",
    SHELL: "/bin/bash",
    AI_RUNTIME_BASE_URL: this.host.url,
  };
  readonly #shell: readonly string[];

  constructor(shell: string = "sh") {
    this.#shell = shell.split(" ");
    mkdirSync(this.home);
    copyFileSync(script, join(this.root, "install.sh"));
  }

  install(...options: string[]): Promise<CommandResult> {
    return this.run([...this.#shell, join(this.root, "install.sh"), ...options]);
  }

  /** Runs install.sh as `curl … | sh -s -- options` does. */
  pipe(...options: string[]): Promise<CommandResult> {
    return this.run([...this.#shell, "-s", "--", ...options], new Uint8Array(readFileSync(script)));
  }

  async run(command: string[], stdin: Uint8Array<ArrayBuffer> = new Uint8Array()): Promise<CommandResult> {
    const child = Bun.spawn(command, { env: this.env, cwd: this.home, stdin, stdout: "pipe", stderr: "pipe" });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { exitCode, stdout, stderr };
  }

  /** Every file and directory in the home, with its content. */
  tree(): Record<string, string> {
    const entries = readdirSync(this.home, { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const content = entry.isFile() ? readFileSync(path, "latin1") : entry.isSymbolicLink() ? readlinkSync(path) : "";
      return [relative(this.home, path), content] as const;
    });
    return Object.fromEntries(entries.sort());
  }

  /** The arguments of each call of a stand-in. */
  calls(): string[] {
    return readFileSync(join(this.home, "calls"), "utf8").trim().split("\n");
  }

  [Symbol.dispose](): void {
    this.host[Symbol.dispose]();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The installed shells. */
export const shells = ["sh", "bash", "dash", "busybox sh", "zsh"].filter(
  (shell) => shell === "sh" || Bun.which(shell.split(" ")[0] ?? "") !== null,
);

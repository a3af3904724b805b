// The user's terminal as bytes: what it receives is recorded, what the test types is sent unchanged.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../executable.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import type { Size } from "./tmux.ts";

const timeoutMs = 240_000;

export class OuterTerminal implements AsyncDisposable {
  readonly child: Bun.Subprocess;
  /** Called with each piece of output, for example to answer a query. */
  onOutput: (bytes: Uint8Array) => void = () => {};
  #received: Uint8Array[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #isAllRead = Promise.withResolvers<void>();

  constructor(sandbox: Sandbox, command: readonly string[], env: Record<string, string> = {}, size?: Size) {
    const { columns, rows } = size ?? { columns: 80, rows: 24 };
    this.child = Bun.spawn([...command], {
      cwd: sandbox.projectDir,
      env: { ...sandbox.env, TERM: "xterm-256color", ...env },
      terminal: {
        cols: columns,
        rows,
        data: (_, bytes) => {
          this.#received.push(bytes.slice());
          this.onOutput(bytes);
          for (const look of this.#watchers) look();
        },
        exit: () => this.#isAllRead.resolve(),
      },
    });
  }

  get terminal(): Bun.Terminal {
    const { terminal } = this.child;
    if (!terminal) throw new Error("the test has no terminal");
    return terminal;
  }

  get received(): Buffer {
    const all = Buffer.concat(this.#received);
    this.#received = [all];
    return all;
  }

  get text(): string {
    return this.received.toString("latin1");
  }

  type(keys: string | Uint8Array): void {
    this.terminal.write(keys);
  }

  async until(expected: string | (() => boolean)): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = (): void => {
      if (typeof expected === "string" ? this.text.includes(expected) : expected()) resolve();
    };
    const what = typeof expected === "string" ? JSON.stringify(expected) : "a condition";
    const timer = setTimeout(
      () => reject(new Error(`timed out waiting for ${what}:\n${JSON.stringify(this.text.slice(-2_000))}`)),
      timeoutMs,
    );
    this.#watchers.add(look);
    look();
    await promise.finally(() => {
      clearTimeout(timer);
      this.#watchers.delete(look);
    });
  }

  /** Waits for the end; returns all bytes that the terminal received, and how the program ended. */
  async end(): Promise<{ bytes: Buffer; exitCode: number | null; signal: string | null }> {
    await this.child.exited;
    await Promise.race([this.#isAllRead.promise, Bun.sleep(2_000)]);
    return { bytes: this.received, exitCode: this.child.exitCode, signal: this.child.signalCode as string | null };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill("SIGKILL");
    await this.child.exited;
  }
}

/** A sandbox in which cclaude starts this script in place of claude. */
export async function sandboxWithProgram(script: string): Promise<{ sandbox: Sandbox; env: Record<string, string> }> {
  const sandbox = await createSandbox({ claude: "none" });
  await sandbox.installBinaries(executable);
  const program = join(sandbox.root, "program");
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return { sandbox, env: { CCLAUDE_CLAUDE_BIN: program } };
}

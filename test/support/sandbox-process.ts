// One program started by a sandbox, in a process group of its own, with its output kept as it comes.

export interface StartOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Text to send on stdin and then close it, or "open" to write later. Without it stdin is empty. */
  readonly stdin?: string;
  /** Runs in a terminal of this size; its screen output is the process's `stdout`. */
  readonly terminal?: { readonly columns: number; readonly rows: number };
}

export interface Finished {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class SandboxProcess {
  readonly command: readonly string[];
  readonly finished: Promise<Finished>;
  stdout = "";
  stderr = "";
  readonly #child: Bun.Subprocess;
  #groupIsEmpty = false;
  readonly #watchers = new Set<() => void>();

  constructor(command: readonly string[], options: StartOptions) {
    this.command = command;
    const common = { cwd: options.cwd, env: { ...options.env }, detached: true };
    const decoder = new TextDecoder();
    if (options.terminal === undefined) {
      const child = Bun.spawn([...command], {
        ...common,
        stdin: options.stdin === undefined ? "ignore" : "pipe",
        stdout: "pipe",
        stderr: "pipe",
      });
      this.#child = child;
      this.finished = this.#finish([this.#collect("stdout", child.stdout), this.#collect("stderr", child.stderr)]);
    } else {
      const { columns, rows } = options.terminal;
      const data = (_: unknown, bytes: Uint8Array) => this.#append("stdout", decoder.decode(bytes, { stream: true }));
      this.#child = Bun.spawn([...command], { ...common, terminal: { cols: columns, rows, data } });
      this.finished = this.#finish([]);
    }
    if (options.stdin !== undefined && options.stdin !== "open") {
      this.write(options.stdin);
      this.closeInput();
    }
  }

  get pid(): number {
    return this.#child.pid;
  }

  write(text: string): void {
    if (this.#child.terminal !== undefined) this.#child.terminal.write(text);
    else if (typeof this.#child.stdin === "object") void this.#child.stdin.write(text);
  }

  closeInput(): void {
    if (typeof this.#child.stdin === "object") void this.#child.stdin.end();
  }

  /** Signals this process alone. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Settles when the process itself has ended, whoever still holds its output open. */
  get exited(): Promise<unknown> {
    return this.#child.exited;
  }

  /** Signals it and everything it started in its process group. Returns false when nobody is left there. */
  signalGroup(signal: NodeJS.Signals | 0): boolean {
    // The number is this group's as long as anyone is in it; after that it may be given to a stranger.
    if (this.#groupIsEmpty) return false;
    try {
      process.kill(-this.pid, signal);
      return true;
    } catch {
      this.#groupIsEmpty = true;
      return false;
    }
  }

  /** Settles once the output's words match; fails when the process ends first. */
  async untilOutput(pattern: RegExp): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (pattern.test(wordsOf(this.stdout))) resolve();
    };
    this.#watchers.add(look);
    look();
    await Promise.race([promise, this.finished]);
    this.#watchers.delete(look);
    if (!pattern.test(wordsOf(this.stdout))) throw new Error(`ended before ${pattern}: ${describeOutput(this)}`);
  }

  async #finish(streams: readonly Promise<void>[]): Promise<Finished> {
    await this.#child.exited;
    this.signalGroup(0);
    await Promise.all(streams);
    const { signalCode, exitCode } = this.#child;
    return {
      exitCode: signalCode === null ? exitCode : null,
      signal: signalCode === null ? null : String(signalCode),
      stdout: this.stdout,
      stderr: this.stderr,
    };
  }

  async #collect(name: "stdout" | "stderr", stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) this.#append(name, decoder.decode(bytes, { stream: true }));
  }

  #append(name: "stdout" | "stderr", text: string): void {
    this[name] += text;
    for (const look of this.#watchers) look();
  }
}

// Programs on a terminal move the cursor where others print a blank.
function wordsOf(output: string): string {
  // oxlint-disable-next-line no-control-regex
  const spaced = output.replaceAll(/\x1b\[[\d;]*[A-HJKf]/g, " ");
  return Bun.stripANSI(spaced).replaceAll(/\s+/g, " ");
}

export function describeOutput({ command, stdout, stderr }: SandboxProcess): string {
  return `${command.join(" ")}\n--- stdout\n${stdout}\n--- stderr\n${stderr}`;
}

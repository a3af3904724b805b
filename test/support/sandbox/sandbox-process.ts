// A program that a sandbox started in its own process group; collects its output.

export interface StartOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Text for stdin, which is then closed, or "open" to write later. Default: empty stdin. */
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

  /** Settles when the process has ended, even if another process still holds its output open. */
  get exited(): Promise<unknown> {
    return this.#child.exited;
  }

  /** Signals the whole process group. Returns false when the group is empty. */
  signalGroup(signal: NodeJS.Signals | 0): boolean {
    // The system may reuse the number of an empty group for another one.
    if (this.#groupIsEmpty) return false;
    try {
      process.kill(-this.pid, signal);
      return true;
    } catch {
      this.#groupIsEmpty = true;
      return false;
    }
  }

  /** Waits until the output, without escape sequences, matches; fails when the process ends first. */
  untilOutput(pattern: RegExp): Promise<void> {
    return this.#until("stdout", pattern);
  }

  /** The same for what it writes to stderr. */
  untilError(pattern: RegExp): Promise<void> {
    return this.#until("stderr", pattern);
  }

  async #until(name: "stdout" | "stderr", pattern: RegExp): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (pattern.test(wordsOf(this[name]))) resolve();
    };
    this.#watchers.add(look);
    look();
    await Promise.race([promise, this.finished]);
    this.#watchers.delete(look);
    if (!pattern.test(wordsOf(this[name])))
      throw new Error(`the process ended before its output matched ${pattern}: ${describeOutput(this)}`);
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

// Programs on a terminal may move the cursor instead of printing a space.
function wordsOf(output: string): string {
  // oxlint-disable-next-line no-control-regex
  const spaced = output.replaceAll(/\x1b\[[\d;]*[A-HJKf]/g, " ");
  return Bun.stripANSI(spaced).replaceAll(/\s+/g, " ");
}

export function describeOutput({ command, stdout, stderr }: SandboxProcess): string {
  return `${command.join(" ")}\n--- stdout\n${stdout}\n--- stderr\n${stderr}`;
}

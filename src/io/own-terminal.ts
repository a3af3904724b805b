/** The terminal that this program was started in, with its keys as they are pressed. */
export class OwnTerminal {
  readonly #onInput: (bytes: Uint8Array) => void;
  readonly #onResize: () => void;
  readonly #onGone: () => void;
  readonly #screen = Bun.stdout.writer();
  #keys: ReturnType<ReturnType<typeof Bun.stdin.stream>["getReader"]> | undefined;
  #isOpen = false;

  constructor(onInput: (bytes: Uint8Array) => void, onResize: () => void, onGone: () => void) {
    this.#onInput = onInput;
    this.#onResize = onResize;
    this.#onGone = onGone;
  }

  static get size(): { columns: number; rows: number } {
    return { columns: process.stdout.columns || 0, rows: process.stdout.rows || 0 };
  }

  /** From here on the keys are the program's: Ctrl-C, too. */
  open(): void {
    this.#isOpen = true;
    process.stdin.setRawMode(true);
    void this.#read();
    process.stdout.on("resize", this.#onResize);
    // Whatever ends us, the shell finds its terminal as it was.
    process.on("exit", this.#restore);
  }

  /** Stops this program, as the signal that asks for it would; its terminal is as it was. */
  suspend(): void {
    if (this.#isOpen) process.stdin.setRawMode(false);
    process.kill(process.pid, "SIGSTOP");
  }

  /** After it was stopped and the shell had the terminal in between. */
  reopen(): void {
    if (!this.#isOpen) return;
    process.stdin.setRawMode(false);
    process.stdin.setRawMode(true);
  }

  /** False when it takes no more for now: `onDrain` is called once it does. */
  write(bytes: Uint8Array, onDrain: () => void): boolean {
    // Not by process.stdout, which takes half as long again for each key that comes back.
    void this.#screen.write(bytes);
    const flushed = this.#screen.flush();
    if (!(flushed instanceof Promise)) return true;
    void flushed.then(onDrain, onDrain);
    return false;
  }

  /** Settles when all that was written is on the screen. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    await this.#keys?.cancel().catch(() => undefined);
    process.stdout.off("resize", this.#onResize);
    await this.#screen.flush();
    this.#restore();
    process.off("exit", this.#restore);
    process.stdin.unref();
  }

  /** Not by process.stdin's own stream, for the same reason. */
  async #read(): Promise<void> {
    const keys = Bun.stdin.stream().getReader();
    this.#keys = keys;
    try {
      for (let read = await keys.read(); !read.done; read = await keys.read()) this.#onInput(read.value);
    } catch {
      // The terminal is gone.
    }
    if (this.#isOpen) this.#onGone();
  }

  readonly #restore = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.stdin.setRawMode(false);
  };
}

/**
 * For when nobody is left who knows what is switched on: main screen, visible cursor at the bottom, everything off that a
 * program may have switched on.
 */
export const plainTerminal = [
  // A picture that was begun is shown: some terminals hold it back until then.
  "\x1b[?2026l\x1b[?1049l\x1b[0m\x1b(B\x1b)B\x0f\x1b[r\x1b[?6l\x1b[?7h\x1b[4l\x1b[?1l\x1b>\x1b[?45l\x1b[?12l\x1b[?25h",
  "\x1b[?2004l\x1b[?1004l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?9l\x1b[?1016l\x1b[?1015l\x1b[?1006l\x1b[?1005l",
  "\x1b[?2031l\x1b[<9u\x1b[>4;0m\x1b[0 q\x1b[23;0t\x1b[999;1H\r\n",
].join("");

import { platform } from "../../platform/current.ts";
import { onSignals } from "../process/on-signals.ts";

/** Whether, on this system, a program in a host cannot be told from one without. */
export const { hostsByDefault } = platform;

/** The terminal that this program was started in. Raw: every byte passes unchanged in both directions. */
export class OwnTerminal {
  readonly #onInput: (bytes: Uint8Array) => void;
  readonly #onResize: () => void;
  readonly #onGone: () => void;
  readonly #screen = Bun.stdout.writer();
  #keys: ReturnType<ReturnType<typeof Bun.stdin.stream>["getReader"]> | undefined;
  #isOpen = false;
  /** The settings that the shell gets back; read again each time the shell had the terminal. */
  #before: Uint8Array | undefined;

  constructor(onInput: (bytes: Uint8Array) => void, onResize: () => void, onGone: () => void) {
    this.#onInput = onInput;
    this.#onResize = onResize;
    this.#onGone = onGone;
  }

  static get size(): { columns: number; rows: number } {
    // Asks the system: `columns` would be out of date after a resize while this program was stopped.
    const [columns = 0, rows = 0] = process.stdout.isTTY ? process.stdout.getWindowSize() : [];
    return { columns, rows };
  }

  /** The settings of the terminal in base64; null where they cannot be read. */
  static get settings(): string | null {
    return platform.terminal?.read(0)?.toBase64() ?? null;
  }

  /** Gives our terminal the settings of another one. */
  static applySettings(settings: string): void {
    platform.terminal?.write(0, Uint8Array.fromBase64(settings));
  }

  /** Keys typed from now on are not echoed here, because the program's own terminal echoes them. Returns how to undo it. */
  static mute(): () => void {
    const { terminal } = platform;
    const before = terminal?.read(0);
    if (!terminal?.isForeground(0) || !before) return () => undefined;
    const stop = onSignals(["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"], (signal) => {
      unmute();
      process.kill(process.pid, signal);
    });
    let isMuted = true;
    const unmute = (): void => {
      stop();
      if (isMuted) terminal.write(0, before);
      isMuted = false;
    };
    terminal.write(0, terminal.withoutEcho(before));
    return unmute;
  }

  /** From now on the program receives all keys, Ctrl-C too. */
  open(): void {
    this.#isOpen = true;
    this.#makeRaw();
    void this.#read();
    // Each signal counts, also when the size is the same again: the terminal may have changed what it shows.
    process.on("SIGWINCH", this.#onResize);
    // The shell gets its terminal back in its old state, however this process ends.
    process.on("exit", this.#restore);
  }

  /** Gives the terminal back to the shell while this program is stopped. */
  lend(): void {
    if (!this.#isOpen) return;
    this.#makePlain();
    this.#before = undefined;
  }

  /** Called after the program was stopped and the shell used the terminal. */
  reopen(): void {
    if (this.#isOpen) this.#makeRaw();
  }

  /** False when the terminal accepts no more for now: `onDrain` is called when it does. */
  write(bytes: Uint8Array, onDrain: () => void): boolean {
    // Not through process.stdout, which adds half the latency again to each key echo.
    void this.#screen.write(bytes);
    const flushed = this.#screen.flush();
    if (!(flushed instanceof Promise)) return true;
    void flushed.then(onDrain, onDrain);
    return false;
  }

  /** Settles when everything that was written is on the screen. */
  async flush(): Promise<void> {
    await this.#screen.flush();
  }

  /** Settles when everything that was written is on the screen. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    await this.#keys?.cancel().catch(() => undefined);
    process.off("SIGWINCH", this.#onResize);
    await this.flush();
    this.#restore();
    process.off("exit", this.#restore);
  }

  /** Not through process.stdin, for the same reason. */
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

  #makeRaw(): void {
    const { terminal } = platform;
    this.#before ??= terminal?.read(0);
    if (terminal && this.#before) terminal.write(0, terminal.makeRaw(this.#before));
    else process.stdin.setRawMode(true);
  }

  #makePlain(): void {
    if (this.#before) platform.terminal?.write(0, this.#before);
    else process.stdin.setRawMode(false);
  }

  readonly #restore = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#makePlain();
  };
}

/**
 * Used when the terminal's state is unknown: main screen, visible cursor at the bottom, and everything off that a
 * program may have switched on.
 */
export const plainTerminal = [
  // Ends an unfinished synchronized update: some terminals show nothing until then.
  "\x1b[?2026l\x1b[?1049l\x1b[0m\x1b(B\x1b)B\x0f\x1b[r\x1b[?6l\x1b[?7h\x1b[4l\x1b[?1l\x1b>\x1b[?45l\x1b[?12l\x1b[?25h",
  "\x1b[?2004l\x1b[?1004l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?9l\x1b[?1016l\x1b[?1015l\x1b[?1006l\x1b[?1005l",
  "\x1b[?2031l\x1b[<9u\x1b[>4;0m\x1b[0 q\x1b[23;0t\x1b[999;1H\r\n",
].join("");

import { platform } from "../../platform/current.ts";

/**
 * Writes keys to a PTY. Bun queues each write for the next turn of its loop, which is a large part of the time that a key takes,
 * so the bytes go to the descriptor at once where it is known. What the terminal does not accept goes through Bun's queue.
 */
export class TerminalWriter {
  /** Terminals that existed before ours. */
  readonly #others = new Set(platform.terminal?.masters());
  #terminal: Bun.Terminal | undefined;
  #master: number | undefined;
  /** Nothing is queued, so a write does not overtake another. */
  #isEmpty = true;

  open(terminal: Bun.Terminal): void {
    this.#terminal = terminal;
    this.#master = platform.terminal?.masters().find((descriptor) => !this.#others.has(descriptor));
  }

  write(given: Uint8Array | string): void {
    if (!this.#terminal || this.#terminal.closed) return;
    const bytes = typeof given === "string" ? new TextEncoder().encode(given) : given;
    const sent = this.#isEmpty && this.#master !== undefined ? (platform.terminal?.send(this.#master, bytes) ?? 0) : 0;
    if (sent === bytes.length) return;
    this.#isEmpty = false;
    this.#terminal.write(bytes.subarray(sent));
  }

  /** Bun has written all that was queued. */
  onDrain(): void {
    this.#isEmpty = true;
  }
}

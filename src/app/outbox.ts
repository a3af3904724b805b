import type { Connection } from "../io/socket.ts";

/** So much may wait for a client that does not read; it is memory of ours. */
const mostWaiting = 1024 * 1024;
/** At the end of the program, how long a client that does not read is waited for. */
const patience = 2_000;

/**
 * What goes to one client. Nobody waits for it: when too much is on the way, the program's output is dropped from there on, and
 * once the client reads again, `onBehind` sends the whole screen instead.
 */
export class Outbox {
  readonly #connection: Connection;
  readonly #onBehind: () => void;
  #waiting: Uint8Array[] = [];
  #size = 0;
  #isBehind = false;
  #closing = false;
  readonly #empty: PromiseWithResolvers<void>[] = [];

  constructor(connection: Connection, onBehind: () => void) {
    this.#connection = connection;
    this.#onBehind = onBehind;
  }

  /** It has missed something, and gets the whole screen once it reads again. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** For the terminal, and only if there is room: the screen comes later. Returns whether it is on its way. */
  offer(...frames: Uint8Array[]): boolean {
    if (this.#size > mostWaiting) this.#isBehind = true;
    if (this.#isBehind) return false;
    for (const frame of frames) this.put(frame);
    return true;
  }

  put(frame: Uint8Array): void {
    if (this.#closing) return;
    const sent = this.#waiting.length === 0 ? this.#connection.write(frame) : 0;
    if (sent >= frame.length) return;
    // Kept: it must not be what somebody else goes on writing into.
    const rest = frame.subarray(sent);
    this.#waiting.push(rest);
    this.#size += rest.length;
  }

  drain(): void {
    while (this.#waiting[0]) {
      const [first] = this.#waiting;
      const sent = this.#connection.write(first);
      this.#size -= sent;
      if (sent < first.length) {
        this.#waiting[0] = first.subarray(sent);
        return;
      }
      this.#waiting.shift();
    }
    for (const { resolve } of this.#empty.splice(0)) resolve();
    if (this.#isBehind) {
      this.#isBehind = false;
      this.#onBehind();
    }
  }

  /** Sends what waits, for a while, and closes. */
  async finish(): Promise<void> {
    if (this.#waiting.length > 0) {
      const empty = Promise.withResolvers<void>();
      this.#empty.push(empty);
      await Promise.race([empty.promise, Bun.sleep(patience)]);
    }
    this.close();
  }

  close(): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#connection.close();
  }

  /** The client is gone. */
  abandon(): void {
    this.#closing = true;
    this.#waiting = [];
    this.#size = 0;
    for (const { resolve } of this.#empty.splice(0)) resolve();
  }
}

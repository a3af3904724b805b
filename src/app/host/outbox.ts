import type { Connection } from "../../io/socket/socket.ts";

/** Limits the memory that a client uses when it does not read. */
const maxQueuedBytes = 1024 * 1024;
/** For the terminal in which the program started: it should get every byte, as without a host. */
const maxQueuedBytesFirst = 16 * 1024 * 1024;
/** When the program has ended, how long the host waits for a client that does not read. */
const stallTimeoutMs = 2_000;

/**
 * The queue of frames for one client. A slow client never blocks the host: when the queue is full, further output is dropped,
 * and once the client has read the queue, `onBehind` sends the whole screen instead.
 */
export class Outbox {
  readonly #connection: Connection;
  readonly #onBehind: () => void;
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #maxQueuedBytes = maxQueuedBytes;
  #isBehind = false;
  #closing = false;
  readonly #empty: PromiseWithResolvers<void>[] = [];

  constructor(connection: Connection, onBehind: () => void) {
    this.#connection = connection;
    this.#onBehind = onBehind;
  }

  /** Keeps more output for a slow client. */
  dropsLate(): void {
    this.#maxQueuedBytes = maxQueuedBytesFirst;
  }

  /** Output was dropped; the client gets the whole screen once the queue is empty. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Queues output if there is room. Returns false when it was dropped. */
  offer(...frames: Uint8Array[]): boolean {
    if (this.#queuedBytes > this.#maxQueuedBytes) this.#isBehind = true;
    if (this.#isBehind) return false;
    for (const frame of frames) this.put(frame);
    return true;
  }

  /** Queues a frame that must not be dropped. The caller must not reuse its buffer. */
  put(frame: Uint8Array): void {
    if (this.#closing) return;
    const sent = this.#queue.length === 0 ? this.#connection.write(frame) : 0;
    if (sent >= frame.length) return;
    const rest = frame.subarray(sent);
    this.#queue.push(rest);
    this.#queuedBytes += rest.length;
  }

  drain(): void {
    while (this.#queue[0]) {
      const [first] = this.#queue;
      const sent = this.#connection.write(first);
      this.#queuedBytes -= sent;
      if (sent < first.length) {
        this.#queue[0] = first.subarray(sent);
        return;
      }
      this.#queue.shift();
    }
    for (const { resolve } of this.#empty.splice(0)) resolve();
    if (this.#isBehind) {
      this.#isBehind = false;
      this.#onBehind();
    }
  }

  /** Sends what is queued as long as the client reads, and closes. */
  async finish(): Promise<void> {
    for (let before = Infinity; this.#queuedBytes > 0 && this.#queuedBytes < before;) {
      before = this.#queuedBytes;
      const empty = Promise.withResolvers<void>();
      this.#empty.push(empty);
      const timer = setTimeout(empty.resolve, stallTimeoutMs);
      await empty.promise;
      clearTimeout(timer);
    }
    this.close();
  }

  close(): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#connection.close();
  }

  /** Drops the queue: the client is gone. */
  abandon(): void {
    this.#closing = true;
    this.#queue = [];
    this.#queuedBytes = 0;
    for (const { resolve } of this.#empty.splice(0)) resolve();
  }
}

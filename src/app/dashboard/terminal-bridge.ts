import {
  BrokenFrame,
  encodeFrame,
  type Frame,
  FrameReader,
  maxFrameBytes,
  maxInputBytes,
  type Size,
} from "../../core/host/frames.ts";
import { messageOf } from "../../core/message-of.ts";
import { Failure } from "../../core/failure.ts";
import type { WebSocketLink, WebSocketListener } from "../../io/http/serve.ts";
import { type Connection, connectTo, type Listener } from "../../io/socket/socket.ts";
import { type HostRecord, isHosted, protocolOf } from "../../store/hosts/host-records.ts";
import type { Environment } from "../environment.ts";
import { reopenSocket } from "../host/detachable.ts";
import { hostRecords } from "../host/registry.ts";

/** A phone shows fewer columns, but Claude's interface needs about this many. */
const minSize: Size = { columns: 40, rows: 10 };
const maxSize: Size = { columns: 500, rows: 300 };

/**
 * Attaches a page to a hosted Claude: a client like any other, under the same rules. Binary messages are terminal bytes; the page
 * sends text for its size, `{"columns":80,"rows":24}`. A page that closes has detached; it never counts as a lost terminal.
 */
export class TerminalBridge implements WebSocketListener, Listener {
  readonly #environment: Environment;
  readonly #record: HostRecord;
  readonly #isReadOnly: boolean;
  readonly #reader = new FrameReader(maxFrameBytes);
  #link: WebSocketLink | undefined;
  #connection: Connection | undefined;
  #unsent: Uint8Array[] = [];
  #isGreeted = false;
  #isOver = false;

  constructor(environment: Environment, id: string, isReadOnly: boolean) {
    const record = hostRecords(environment).read(id);
    if (!record || !isHosted(record)) throw new Failure("not-found", `no hosted program "${id.slice(0, 60)}" runs`);
    this.#environment = environment;
    this.#record = record;
    this.#isReadOnly = isReadOnly;
  }

  onOpen(link: WebSocketLink): void {
    this.#link = link;
  }

  onMessage(message: string | Uint8Array): void {
    if (typeof message === "string") return void this.#resize(message);
    if (this.#isReadOnly || !this.#isGreeted) return;
    for (let at = 0; at < message.length; at += maxInputBytes) {
      this.#send({ kind: "input", bytes: message.slice(at, at + maxInputBytes) });
    }
  }

  /** The host sends on when the page has read. */
  onDrain(): void {
    if (this.#connection === undefined) return;
    this.#connection.resume();
    const unsent = this.#unsent;
    this.#unsent = [];
    for (const bytes of unsent) this.#write(bytes);
  }

  /** Of the page, and of the host: the bridge is over when one of them is. */
  onClose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#isGreeted && protocolOf(this.#record) >= 2) this.#write(encodeFrame({ kind: "leave", how: "detach" }));
    this.#connection?.close();
    this.#link?.close("over");
  }

  onData(bytes: Uint8Array): void {
    try {
      for (const frame of this.#reader.push(bytes)) this.#receive(frame);
    } catch (error) {
      if (!(error instanceof BrokenFrame)) throw error;
      this.#say({ problem: error.message });
      this.onClose();
    }
  }

  async #resize(message: string): Promise<void> {
    const size = readSize(message);
    if (!size || this.#isOver) return;
    if (this.#isGreeted) return this.#send({ kind: "resize", size });
    this.#isGreeted = true;
    try {
      this.#connection = await this.#connect();
      this.#send({ kind: "hello", version: protocolOf(this.#record), size, notice: null, detachKey: null });
      // The page may have closed meanwhile.
      if (this.#isOver) this.#connection.close();
    } catch (error) {
      this.#say({ problem: messageOf(error) });
      this.onClose();
    }
  }

  async #connect(): Promise<Connection> {
    const socket = this.#record.running?.socket ?? "";
    return connectTo(socket, this).catch(async (error: unknown) => {
      if (!(error instanceof Error && "code" in error)) throw error;
      return connectTo(await reopenSocket(this.#environment, this.#record, error), this);
    });
  }

  #receive(frame: Frame): void {
    switch (frame.kind) {
      case "output":
        if (this.#link?.send(frame.bytes) === false) this.#connection?.pause();
        return;
      case "end":
        this.#say({ ended: frame.end });
        return this.onClose();
      case "refusal":
        this.#say({ problem: frame.reason });
        return this.onClose();
      case "stopped":
        // No shell can continue the page, so the program continues at once.
        return this.#send({ kind: "continue" });
      default:
        return;
    }
  }

  #say(message: object): void {
    this.#link?.send(JSON.stringify(message));
  }

  #send(frame: Frame): void {
    this.#write(encodeFrame(frame));
  }

  #write(bytes: Uint8Array): void {
    const sent = this.#unsent.length > 0 ? 0 : (this.#connection?.write(bytes) ?? 0);
    if (sent < bytes.length) this.#unsent.push(bytes.subarray(sent));
  }
}

function readSize(message: string): Size | undefined {
  try {
    const { columns, rows } = JSON.parse(message) as Partial<Record<keyof Size, unknown>>;
    if (typeof columns !== "number" || typeof rows !== "number") return undefined;
    const within = (value: number, key: keyof Size): number =>
      Math.min(maxSize[key], Math.max(minSize[key], Math.floor(value) || 0));
    return { columns: within(columns, "columns"), rows: within(rows, "rows") };
  } catch {
    return undefined;
  }
}

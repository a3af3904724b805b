// A client of a host without a terminal of its own: what it would show is kept in a model of its size.
import {
  encodeFrame,
  type Frame,
  FrameReader,
  largestFrame,
  protocolVersion,
  type Size,
} from "../../src/core/frames.ts";
import { ScreenModel } from "../../src/io/screen-model.ts";

const patience = 30_000;

export class TestClient implements Disposable {
  readonly screen: ScreenModel;
  readonly frames: Frame["kind"][] = [];
  end: Extract<Frame, { kind: "end" }>["end"] | undefined;
  received = 0;
  isClosed = false;
  readonly #reader = new FrameReader(largestFrame);
  readonly #watchers = new Set<() => void>();
  #socket: Bun.Socket | undefined;

  private constructor(size: Size) {
    this.screen = new ScreenModel(size, () => {});
  }

  static async connect(path: string, size: Size = { columns: 80, rows: 24 }): Promise<TestClient> {
    const client = new TestClient(size);
    client.#socket = await Bun.connect({
      unix: path,
      socket: {
        data: (_, bytes) => client.#receive(bytes),
        close: () => {
          client.isClosed = true;
          client.#look();
        },
      },
    });
    return client;
  }

  /** Connected, welcome, and painted for the first time. */
  static async attach(path: string, size?: Size, notice: string | null = null): Promise<TestClient> {
    const client = await TestClient.connect(path, size);
    const { columns, rows } = client.screen.size;
    client.say({ kind: "hello", version: protocolVersion, size: { columns, rows }, notice });
    await client.until(() => client.frames.includes("output"), "a first screen");
    return client;
  }

  get text(): string {
    return this.screen.text().rows.join("\n");
  }

  say(frame: Frame): void {
    this.send(encodeFrame(frame));
  }

  type(text: string): void {
    this.say({ kind: "input", bytes: Buffer.from(text) });
  }

  send(bytes: Uint8Array): void {
    this.#socket?.write(bytes);
  }

  /** Stops reading, as a frozen terminal does. */
  freeze(): void {
    this.#socket?.pause();
  }

  thaw(): void {
    this.#socket?.resume();
  }

  async until(wanted: () => boolean, what: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = (): void => {
      if (wanted()) resolve();
    };
    const timer = setTimeout(() => reject(new Error(`never came: ${what}\n${this.text}`)), patience);
    this.#watchers.add(look);
    look();
    await promise.finally(() => {
      clearTimeout(timer);
      this.#watchers.delete(look);
    });
  }

  untilText(wanted: string): Promise<void> {
    return this.until(() => this.text.includes(wanted), wanted);
  }

  [Symbol.dispose](): void {
    this.#socket?.terminate();
  }

  #receive(bytes: Uint8Array): void {
    this.received += bytes.length;
    for (const frame of this.#reader.push(bytes)) {
      this.frames.push(frame.kind);
      if (frame.kind === "output") this.screen.feed(frame.bytes);
      if (frame.kind === "end") this.end = frame.end;
    }
    this.#look();
  }

  #look(): void {
    for (const look of this.#watchers) look();
  }
}

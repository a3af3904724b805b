// A client of a host that shows its output in a screen model instead of a terminal.
import {
  encodeFrame,
  type Frame,
  FrameReader,
  maxFrameBytes,
  protocolVersion,
  type Size,
} from "../../../src/core/host/frames.ts";
import { ScreenModel } from "../../../src/io/terminal/screen-model.ts";

const timeoutMs = 240_000;

export class TestClient implements Disposable {
  readonly screen: ScreenModel;
  readonly frames: Frame["kind"][] = [];
  end: Extract<Frame, { kind: "end" }>["end"] | undefined;
  received = 0;
  /** The version that the host agreed to. */
  version: number | undefined;
  isClosed = false;
  readonly #reader = new FrameReader(maxFrameBytes);
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

  /** Connects, sends hello, and waits for the first screen. */
  static async attach(
    path: string,
    size?: Size,
    notice: string | null = null,
    version = protocolVersion,
  ): Promise<TestClient> {
    const client = await TestClient.connect(path, size);
    const { columns, rows } = client.screen.size;
    client.say({ kind: "hello", version, size: { columns, rows }, notice });
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

  async until(condition: () => boolean, what: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = (): void => {
      if (condition()) resolve();
    };
    const timer = setTimeout(() => reject(new Error(`timed out waiting for ${what}\n${this.text}`)), timeoutMs);
    this.#watchers.add(look);
    look();
    await promise.finally(() => {
      clearTimeout(timer);
      this.#watchers.delete(look);
    });
  }

  untilText(expected: string): Promise<void> {
    return this.until(() => this.text.includes(expected), expected);
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
      if (frame.kind === "welcome") this.version = frame.version;
    }
    this.#look();
  }

  #look(): void {
    for (const look of this.#watchers) look();
  }
}

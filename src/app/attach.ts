import { type DetachKey, DetachKeyReader } from "../core/detach-key.ts";
import {
  BrokenFrame,
  encodeFrame,
  type Frame,
  FrameReader,
  type HostedEnd,
  largestFrame,
  largestInput,
  protocolVersion,
} from "../core/frames.ts";
import { Failure } from "../core/failure.ts";
import { OwnTerminal, plainTerminal } from "../io/own-terminal.ts";
import { type Connection, connectTo, type Listener } from "../io/socket.ts";

export type Attached =
  /** The program ended while we looked. */
  | { readonly kind: "ended"; readonly end: HostedEnd }
  /** It had ended before. */
  | { readonly kind: "over"; readonly end: HostedEnd; readonly time: number }
  /** The user left it. */
  | { readonly kind: "detached" }
  /** Somebody told us to end: with this signal we should. */
  | { readonly kind: "told"; readonly signal: NodeJS.Signals }
  /** The host is gone without a word. */
  | { readonly kind: "lost" };

/** Shows a hosted program on our terminal until it ends or the user leaves. Needs a terminal on stdin and stdout. */
export function attachTo(socket: string, key: DetachKey, notice: string | null): Promise<Attached> {
  return new Attachment(key).run(socket, notice);
}

const endings = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;

class Attachment implements Listener {
  readonly #keys: DetachKeyReader;
  readonly #reader = new FrameReader(largestFrame);
  readonly #terminal = new OwnTerminal(
    (bytes) => this.#type(bytes),
    () => this.#say({ kind: "resize", size: OwnTerminal.size }),
    () => this.#over.resolve({ kind: "told", signal: "SIGHUP" }),
  );
  readonly #over = Promise.withResolvers<Attached>();
  #connection: Connection | undefined;
  #unsent: Uint8Array[] = [];
  #isWelcome = false;

  constructor(key: DetachKey) {
    this.#keys = new DetachKeyReader(key);
  }

  async run(socket: string, notice: string | null): Promise<Attached> {
    this.#connection = await connectTo(socket, this);
    const told = (signal: NodeJS.Signals): void => this.#over.resolve({ kind: "told", signal });
    const woken = (): void => {
      this.#terminal.reopen();
      this.#say({ kind: "redraw" });
    };
    // By somebody else: Ctrl-Z is the program's. Until it is continued the terminal is the shell's.
    const suspended = (): void => {
      this.#giveBack();
      this.#terminal.suspend();
    };
    for (const signal of endings) process.on(signal, told);
    process.on("SIGTSTP", suspended);
    process.on("SIGCONT", woken);
    try {
      this.#terminal.open();
      this.#say({ kind: "hello", version: protocolVersion, size: OwnTerminal.size, notice });
      const over = await this.#over.promise;
      // At its end the host has given the terminal back; otherwise nobody has.
      if (over.kind !== "ended") this.#giveBack();
      return over;
    } finally {
      this.#connection.close();
      await this.#terminal.close();
      for (const signal of endings) process.off(signal, told);
      process.off("SIGTSTP", suspended);
      process.off("SIGCONT", woken);
    }
  }

  onData(bytes: Uint8Array): void {
    try {
      for (const frame of this.#reader.push(bytes)) this.#hear(frame);
    } catch (error) {
      this.#over.reject(error instanceof BrokenFrame ? strange(error.message) : error);
    }
  }

  onDrain(): void {
    const unsent = this.#unsent;
    this.#unsent = [];
    for (const frame of unsent) this.#send(frame);
  }

  onClose(): void {
    this.#over.resolve({ kind: "lost" });
  }

  #giveBack(): void {
    if (this.#isWelcome) this.#terminal.write(new TextEncoder().encode(plainTerminal), () => {});
  }

  #hear(frame: Frame): void {
    switch (frame.kind) {
      case "welcome":
        this.#isWelcome = true;
        return;
      case "output":
        // A terminal that is slow, or stopped by Ctrl-S, holds back the host's end of the line, not our memory.
        if (!this.#terminal.write(frame.bytes, () => this.#connection?.resume())) this.#connection?.pause();
        return;
      case "end":
        return this.#over.resolve({ kind: "ended", end: frame.end });
      case "refusal":
        return this.#over.reject(strange(frame.reason));
      default:
        return this.#over.reject(strange(`it says ${frame.kind}`));
    }
  }

  #type(bytes: Uint8Array): void {
    const { forward, detach } = this.#keys.read(bytes);
    for (let at = 0; at < forward.length; at += largestInput) {
      this.#say({ kind: "input", bytes: forward.subarray(at, at + largestInput) });
    }
    if (detach) this.#over.resolve({ kind: "detached" });
  }

  #say(frame: Frame): void {
    this.#send(encodeFrame(frame));
  }

  #send(bytes: Uint8Array): void {
    const sent = this.#unsent.length > 0 ? 0 : (this.#connection?.write(bytes) ?? 0);
    if (sent < bytes.length) this.#unsent.push(bytes.subarray(sent));
  }
}

function strange(why: string): Failure {
  return new Failure("failed", `the host cannot be talked to: ${why}`, {
    hint: "It may have been started by another version of ai-runtime: its program goes on, and can be attached with that one.",
  });
}

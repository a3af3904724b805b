import type { DetachKey } from "../../core/host/detach-key.ts";
import { DetachKeyReader } from "../../core/host/detach-key-reader.ts";
import {
  BrokenFrame,
  type Departure,
  encodeFrame,
  type Frame,
  FrameReader,
  type HostedEnd,
  maxFrameBytes,
  maxInputBytes,
  type PassedSignal,
  passedSignals,
} from "../../core/host/frames.ts";
import { isSameSize } from "../../core/host/terminal-size.ts";
import { Failure } from "../../core/failure.ts";
import { onSignals } from "../../io/process/on-signals.ts";
import { OwnTerminal, plainTerminal } from "../../io/terminal/own-terminal.ts";
import { type Connection, connectTo, type Listener } from "../../io/socket/socket.ts";

export type Attached =
  /** The program ended while this client was attached. */
  | { readonly kind: "ended"; readonly end: HostedEnd }
  /** The program had already ended. */
  | { readonly kind: "over"; readonly end: HostedEnd; readonly time: number }
  /** The user pressed the detach key. */
  | { readonly kind: "detached" }
  /** This client received a signal that ends it. */
  | { readonly kind: "signaled"; readonly signal: NodeJS.Signals }
  /** The host closed the connection without reporting an end. */
  | { readonly kind: "lost" };

export interface AttachOptions {
  readonly key: DetachKey;
  /** Shown for a moment on the last row. */
  readonly notice: string | null;
  /** The newest protocol version that the host knows. */
  readonly protocol: number;
  /** This client started the program and stands for it: a signal to the client is meant for the program. */
  readonly passesSignals: boolean;
  /** The host listens; the terminal is still as the shell left it. */
  readonly onConnected?: () => void;
  /** The host has accepted this client. A client that started the host can still do without it until then. */
  readonly onWelcome?: () => void;
}

/** Shows a hosted program on this terminal until it ends or the user detaches. Needs a terminal on stdin and stdout. */
export function attachTo(socket: string, options: AttachOptions): Promise<Attached> {
  return new Attachment(options).run(socket);
}

/** How long the client waits to be stopped. It is not when no shell could continue it. */
const stopTimeoutMs = 200;

/** Of two signals that arrive together, the system may deliver SIGHUP last: it comes within this time. */
const hangupDelayMs = 10;

class Attachment implements Listener {
  readonly #options: AttachOptions;
  readonly #keys: DetachKeyReader;
  readonly #reader = new FrameReader(maxFrameBytes);
  readonly #terminal = new OwnTerminal(
    (bytes) => this.#type(bytes),
    () => this.#sendSize(),
    () => this.#leave("hangup", { kind: "signaled", signal: "SIGHUP" }),
  );
  readonly #over = Promise.withResolvers<Attached>();
  #connection: Connection | undefined;
  #unsent: Uint8Array[] = [];
  #isWelcome = false;
  /** Keys and signals from now on are not meant for the program: bash sends SIGTERM after SIGHUP to a stopped job. */
  #hasLeft = false;
  #sentSize = OwnTerminal.size;
  /** The program has stopped, and this client with it. */
  #isStopped = false;
  /** The terminal was reset for the shell while the program kept its modes. */
  #isReset = false;

  constructor(options: AttachOptions) {
    this.#options = options;
    this.#keys = new DetachKeyReader(options.key, { takesCommands: this.#speaks(3) });
  }

  async run(socket: string): Promise<Attached> {
    this.#connection = await connectTo(socket, this);
    const unlisten = this.#listen();
    try {
      const { protocol, notice, key, onConnected } = this.#options;
      onConnected?.();
      this.#terminal.open();
      this.#sentSize = OwnTerminal.size;
      this.#sendFrame({ kind: "hello", version: protocol, size: this.#sentSize, notice, detachKey: key.name });
      const over = await this.#over.promise;
      // The host resets the terminal only when the program ends.
      if (over.kind !== "ended") this.#resetTerminal();
      return over;
    } finally {
      this.#connection.close();
      await this.#terminal.close();
      unlisten();
    }
  }

  #listen(): () => void {
    const { passesSignals } = this.#options;
    const leaveBy = (signal: NodeJS.Signals): void =>
      this.#leave(signal === "SIGHUP" ? "hangup" : "detach", { kind: "signaled", signal });
    const passOn = (name: NodeJS.Signals): void =>
      void setTimeout(() => this.#sendFrame({ kind: "signal", name: name as PassedSignal }), hangupDelayMs);
    const passes = passesSignals && this.#speaks(2);
    const stops = [
      onSignals(passes ? passedSignals : ["SIGTERM", "SIGINT", "SIGQUIT"], passes ? passOn : leaveBy),
      onSignals(["SIGHUP"], leaveBy),
      onSignals(["SIGCONT"], () => this.#continue()),
      onSignals(["SIGTSTP"], this.#suspendAlone),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  #speaks(version: number): boolean {
    return this.#options.protocol >= version;
  }

  onData(bytes: Uint8Array): void {
    try {
      for (const frame of this.#reader.push(bytes)) this.#receive(frame);
    } catch (error) {
      this.#over.reject(error instanceof BrokenFrame ? protocolFailure(error.message) : error);
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

  /** The host must know whether the user left or the terminal is gone. */
  #leave(how: Departure, as: Attached): void {
    if (this.#speaks(2)) this.#sendFrame({ kind: "leave", how });
    this.#hasLeft = true;
    this.#over.resolve(as);
  }

  #resetTerminal(): void {
    if (this.#isWelcome) this.#terminal.write(new TextEncoder().encode(plainTerminal), () => {});
  }

  /** Another process sent SIGTSTP; Ctrl-Z goes to the program. The shell owns the terminal until SIGCONT. */
  readonly #suspendAlone = (): void => {
    this.#resetTerminal();
    this.#isReset = true;
    this.#terminal.lend();
    process.kill(process.pid, "SIGSTOP");
  };

  /** The program has stopped itself: stops this process group as well, because the shell waits for it. */
  async #stop(): Promise<void> {
    this.#isStopped = true;
    await this.#terminal.flush();
    this.#terminal.lend();
    // With our own listener the signal would not stop us.
    process.off("SIGTSTP", this.#suspendAlone);
    process.kill(0, "SIGTSTP");
    setTimeout(() => {
      if (this.#isStopped) this.#continue();
    }, stopTimeoutMs);
  }

  /** After a stop of this client, alone or with the program. */
  #continue(): void {
    this.#isStopped = false;
    process.off("SIGTSTP", this.#suspendAlone);
    process.on("SIGTSTP", this.#suspendAlone);
    this.#terminal.reopen();
    if (!isSameSize(OwnTerminal.size, this.#sentSize)) this.#sendSize();
    if (this.#speaks(2)) this.#sendFrame({ kind: "continue" });
    // A program repaints by itself when it is continued, but does not know of a reset.
    if (this.#isReset || !this.#options.passesSignals) this.#sendFrame({ kind: "redraw" });
    this.#isReset = false;
  }

  #receive(frame: Frame): void {
    switch (frame.kind) {
      case "welcome":
        this.#isWelcome = true;
        return this.#options.onWelcome?.();
      case "output":
        // While the terminal is slow or stopped by Ctrl-S, the host buffers the output; this client does not.
        if (!this.#terminal.write(frame.bytes, () => this.#connection?.resume())) this.#connection?.pause();
        return;
      case "stopped":
        return void this.#stop();
      case "end":
        return this.#over.resolve({ kind: "ended", end: frame.end });
      case "refusal":
        return this.#over.reject(protocolFailure(frame.reason));
      default:
        return this.#over.reject(protocolFailure(`unexpected frame "${frame.kind}"`));
    }
  }

  #type(bytes: Uint8Array): void {
    const { forward, detach, commands } = this.#keys.read(bytes);
    for (let at = 0; at < forward.length; at += maxInputBytes) {
      this.#sendFrame({ kind: "input", bytes: forward.subarray(at, at + maxInputBytes) });
    }
    for (const name of commands) this.#sendFrame({ kind: "command", name });
    if (detach) this.#leave("detach", { kind: "detached" });
  }

  #sendSize(): void {
    this.#sentSize = OwnTerminal.size;
    this.#sendFrame({ kind: "resize", size: this.#sentSize });
  }

  #sendFrame(frame: Frame): void {
    if (!this.#hasLeft) this.#send(encodeFrame(frame));
  }

  #send(bytes: Uint8Array): void {
    const sent = this.#unsent.length > 0 ? 0 : (this.#connection?.write(bytes) ?? 0);
    if (sent < bytes.length) this.#unsent.push(bytes.subarray(sent));
  }
}

function protocolFailure(why: string): Failure {
  return new Failure("failed", `cannot communicate with the host: ${why}`, {
    hint: "Another version of ai-runtime may have started it. Its program keeps running; attach with that version.",
  });
}

import type { Pty } from "../../io/terminal/pty.ts";
import type { HostClient } from "./host-client.ts";

/** The program's last output arrives within this time after its stop. */
const lastOutputMs = 20;

/**
 * Passes a stop of the program (Ctrl-Z) on to the only attached client, whose shell can continue both. With no client or several,
 * no shell could, so the program continues at once.
 */
export class Suspension {
  readonly #clients: ReadonlySet<HostClient>;
  readonly #pty: () => Pty | undefined;
  #timer: Timer | undefined;
  #isPassedOn = false;

  constructor(clients: ReadonlySet<HostClient>, pty: () => Pty | undefined) {
    this.#clients = clients;
    this.#pty = pty;
  }

  onStopped(): void {
    if (!this.#isPassedOn) this.#timer ??= setTimeout(() => this.#passOn(), lastOutputMs);
  }

  onOutput(): void {
    this.#timer?.refresh();
  }

  /** The clients changed while the program was stopped. */
  end(): void {
    if (this.#isPassedOn) this.onContinue();
  }

  /** The shell continued the client. Without a host the program would receive the signal, too. */
  onContinue(): void {
    this.#isPassedOn = false;
    this.#pty()?.continue();
  }

  #passOn(): void {
    this.#timer = undefined;
    const attached = [...this.#clients].filter(({ size }) => size !== undefined);
    this.#isPassedOn = attached.length === 1 && attached[0]?.suspend() === true;
    if (!this.#isPassedOn) this.#pty()?.continue();
  }
}

/** Ctrl-Z, as a byte or as an escape sequence of the Kitty keyboard protocol. */
export const isSuspension = (bytes: Uint8Array): boolean =>
  bytes.includes(0x1a) ||
  (bytes[0] === 0x1b && new TextDecoder().decode(bytes.subarray(0, 16)).startsWith("\x1b[122;5"));

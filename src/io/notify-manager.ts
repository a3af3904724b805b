import { platform } from "../platform/current.ts";

/** The manager of services that started this process, for as long as it wants to hear from it. */
export class ServiceManager {
  readonly #socket: string | undefined;
  /** Milliseconds between two signs of life; undefined when nobody waits for them. */
  readonly beat: number | undefined;

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.#socket = variables["NOTIFY_SOCKET"] || undefined;
    const most = Number(variables["WATCHDOG_USEC"]) / 1_000;
    this.beat = this.#socket !== undefined && most > 0 ? most / 3 : undefined;
  }

  ready(status: string): void {
    this.#tell(`READY=1\nSTATUS=${status}`);
  }

  status(text: string): void {
    this.#tell(`STATUS=${text}`);
  }

  isAlive(): void {
    this.#tell("WATCHDOG=1");
  }

  #tell(message: string): void {
    if (this.#socket === undefined) return;
    try {
      platform.notifyManager(this.#socket, message);
    } catch (error) {
      // Claude goes on all the same; who waits for a sign that cannot be given will say so in his own log.
      console.error(error instanceof Error ? error.message : String(error));
    }
  }
}

/** For the service's process alone: a claude must not speak for it. */
export const managerVariables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"];

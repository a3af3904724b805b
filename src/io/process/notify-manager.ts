import { platform } from "../../platform/current.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Variables } from "../../core/variables.ts";

/** Notifies the service manager that started this process, if it wants notifications. */
export class ServiceManager {
  readonly #socket: string | undefined;
  /** Milliseconds between two watchdog notifications; undefined when the manager expects none. */
  readonly beat: number | undefined;

  constructor(variables: Readonly<Variables>) {
    this.#socket = variables["NOTIFY_SOCKET"] || undefined;
    const watchdogMs = Number(variables["WATCHDOG_USEC"]) / 1_000;
    this.beat = this.#socket !== undefined && watchdogMs > 0 ? watchdogMs / 3 : undefined;
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
      // Claude continues; the manager reports the missing notification in its own log.
      console.error(messageOf(error));
    }
  }
}

/** Removed from claude's environment: only the process of the service may notify its manager. */
export const managerVariables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"];

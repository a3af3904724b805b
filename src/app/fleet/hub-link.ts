import { HubFailure } from "../../hub/connection.ts";
import type { Environment } from "../environment.ts";
import { type Hub, openHub } from "../hub/open-hub.ts";

const firstPauseMs = 200;
const maxPauseMs = 2_000;

/** A connection to the hub that outlives its failures: the next use connects again. */
export class HubLink {
  readonly #environment: Environment;
  #hub: Promise<Hub> | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  async use<Result>(work: (hub: Hub) => Promise<Result>): Promise<Result> {
    const open = (this.#hub ??= openHub(this.#environment));
    const forget = (): void => {
      if (this.#hub === open) this.#hub = undefined;
    };
    const hub = await open.catch((error: unknown) => {
      forget();
      throw error;
    });
    try {
      return await work(hub);
    } catch (error) {
      if (!(error instanceof HubFailure)) throw error;
      // Other work on this connection ends with an error, too, and is tried again.
      forget();
      void hub.connection.close();
      throw error;
    }
  }

  /** Tries again while the hub is away, until the signal. */
  async insist<Result>(work: (hub: Hub) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    for (let pause = firstPauseMs; ; pause = Math.min(maxPauseMs, pause * 2)) {
      try {
        return await this.use(work);
      } catch (error) {
        if (!(error instanceof HubFailure) || signal.aborted) throw error;
        await Bun.sleep(pause);
      }
    }
  }

  async close(): Promise<void> {
    const open = this.#hub;
    this.#hub = undefined;
    await open?.then(({ connection }) => connection.close()).catch(() => undefined);
  }
}

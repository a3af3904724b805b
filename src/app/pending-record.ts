import { ownIdentity, type PendingFlags, removePendingFlags, writePendingFlags } from "../store/pending-flags.ts";
import type { Environment } from "./environment.ts";
import { logProblem } from "./hook-log.ts";

/** This process's line in `pending-flags.txt`. What goes wrong with it is no reason to disturb a running claude. */
export class PendingRecord {
  readonly #environment: Environment;
  readonly #flags: string[];
  readonly #directory: string;
  readonly #started: number;
  #writing: Promise<void> = Promise.resolve();

  constructor(environment: Environment, flags: string[], directory: string) {
    this.#environment = environment;
    this.#flags = flags;
    this.#directory = directory;
    this.#started = environment.now();
  }

  write(sessionId: string | undefined): Promise<void> {
    return this.#then(async () => {
      const identity = ownIdentity();
      if (!identity) return;
      const record: PendingFlags = {
        version: 1,
        process: identity,
        started: this.#started,
        cwd: this.#directory,
        flags: this.#flags,
        sessionId: sessionId ?? null,
      };
      await writePendingFlags(this.#environment.paths, record);
    });
  }

  remove(): Promise<void> {
    return this.#then(async () => {
      const identity = ownIdentity();
      if (identity) await removePendingFlags(this.#environment.paths, identity);
    });
  }

  #then(work: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(work).catch((error: unknown) => {
      logProblem(this.#environment, error instanceof Error ? error.message : String(error));
    });
    return this.#writing;
  }
}

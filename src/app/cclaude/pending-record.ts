import {
  ownIdentity,
  type PendingFlags,
  removePendingFlags,
  writePendingFlags,
} from "../../store/cclaude/pending-flags.ts";
import type { Environment } from "../environment.ts";
import { logProblem } from "../program-log.ts";
import { messageOf } from "../../core/message-of.ts";

/** This process's line in `pending-flags.txt`. Failures are only logged, so that they never disturb a running claude. */
export class PendingRecord {
  readonly #environment: Environment;
  readonly #flags: string[];
  readonly #directory: string;
  readonly #events: string | undefined;
  readonly #started: number;
  #writing: Promise<void> = Promise.resolve();

  constructor(environment: Environment, flags: string[], directory: string, events: string | undefined) {
    this.#environment = environment;
    this.#flags = flags;
    this.#directory = directory;
    this.#events = events;
    this.#started = environment.now();
  }

  write(sessionId: string | undefined): Promise<void> {
    return this.#enqueue(async () => {
      const identity = ownIdentity();
      if (!identity) return;
      const record: PendingFlags = {
        version: 1,
        process: identity,
        started: this.#started,
        cwd: this.#directory,
        flags: this.#flags,
        sessionId: sessionId ?? null,
        events: this.#events,
      };
      await writePendingFlags(this.#environment.paths, record);
    });
  }

  remove(): Promise<void> {
    return this.#enqueue(async () => {
      const identity = ownIdentity();
      if (identity) await removePendingFlags(this.#environment.paths, identity);
    });
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(work).catch((error: unknown) => {
      logProblem(this.#environment, messageOf(error));
    });
    return this.#writing;
  }
}

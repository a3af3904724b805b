import { messageOf } from "../../core/message-of.ts";
import type { Environment } from "../environment.ts";
import { markFiles } from "../files/mark-files.ts";
import { logProblem } from "../program-log.ts";
import { loadSettings } from "../settings.ts";

const intervalMs = 2_000;
/** Saving takes at most this share of the time. */
const maxShare = 0.1;
const lockTimeoutMs = 1_000;

/**
 * Saves the files of a run every few seconds while it works, so that a worker that takes over finds them nearly as they were. The
 * hooks save them only at the end of a turn and before commands that can destroy files.
 */
export class FileKeeper implements AsyncDisposable {
  readonly #environment: Environment;
  readonly #sessionId: string;
  readonly #directory: string;
  readonly #ending = new AbortController();
  readonly #loop: Promise<void>;

  constructor(environment: Environment, sessionId: string, directory: string) {
    this.#environment = environment;
    this.#sessionId = sessionId;
    this.#directory = directory;
    this.#loop = this.#keep();
  }

  async #keep(): Promise<void> {
    const ended = new Promise<void>((resolve) =>
      this.#ending.signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    for (let pause = intervalMs; !this.#ending.signal.aborted;) {
      await Promise.race([Bun.sleep(pause), ended]);
      const started = performance.now();
      await saveFiles(this.#environment, this.#sessionId, this.#directory);
      pause = Math.max(intervalMs, (performance.now() - started) / maxShare);
    }
  }

  /** With a last save. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#loop;
    await saveFiles(this.#environment, this.#sessionId, this.#directory);
  }
}

/** Best effort: the next save, or a hook, does it. */
export async function saveFiles(environment: Environment, sessionId: string, directory: string): Promise<void> {
  const { settings } = loadSettings(environment);
  const facts = { reason: "fleet", sessionId, mark: null, before: null, lateAfter: Infinity };
  const limits = { lockTimeoutMs, signal: new AbortController().signal };
  try {
    await markFiles(environment, settings, { ...facts, cwd: directory }, limits);
  } catch (error) {
    logProblem(environment, `fleet: files of ${directory}: ${messageOf(error)}`);
  }
}

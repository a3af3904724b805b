import type { AttemptEnd } from "../core/signal.ts";
import { turnAfterReset } from "../core/take-turns.ts";
import { forgetLimit, readKnownLimit, tellLimit } from "../store/known-limit.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { listActiveIds } from "../store/run-registry.ts";
import type { Environment } from "./environment.ts";
import { readIfWhole } from "./find-run.ts";
import { logProblem } from "./hook-log.ts";
import { orElse } from "./or-else.ts";

/** What makes two runs share a limit, as far as we can know it. Kept as a hash: some of these are secrets. */
const accountVariables = ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

/** What the runs of one account tell each other of its limit. Without it each finds out by itself: nothing here may fail a run. */
export class SharedLimit {
  readonly #environment: Environment;
  readonly #paths: RunPaths;
  readonly #run: string;
  readonly #account: string;

  constructor(environment: Environment, paths: RunPaths, run: string) {
    this.#environment = environment;
    this.#paths = paths;
    this.#run = run;
    const words = accountVariables.map((name) => environment.variables[name] ?? "");
    const hasher = new Bun.CryptoHasher("sha256").update([environment.claudeConfig, ...words].join("\0"));
    this.#account = hasher.digest("hex").slice(0, 16);
  }

  known(): number | null {
    const { now } = this.#environment;
    return orElse(this.#environment, () => readKnownLimit(this.#paths, this.#account, now()) ?? null, null);
  }

  turn(until: number, random: number): number {
    const look = (): number => {
      const waiting = listActiveIds(this.#paths).flatMap((id) => {
        const status = id === this.#run ? undefined : readIfWhole(this.#paths, id)?.status;
        return status?.phase === "waiting-limit" ? [{ id, until: status.until }] : [];
      });
      return turnAfterReset(this.#run, until, waiting, random);
    };
    return orElse(this.#environment, look, 0);
  }

  async learn(end: AttemptEnd, progress: boolean): Promise<void> {
    const time = this.#environment.now();
    try {
      if (end.kind === "limit" && end.resetsAt !== null && end.resetsAt > time) {
        await tellLimit(this.#paths, this.#account, { until: end.resetsAt, run: this.#run, time });
      } else if (end.kind !== "limit" && progress) await forgetLimit(this.#paths, this.#account, time);
    } catch (error) {
      logProblem(this.#environment, error instanceof Error ? error.message : String(error));
    }
  }
}

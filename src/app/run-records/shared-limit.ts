import { accountVariables } from "../../claude/environment.ts";
import type { AttemptEnd } from "../../core/restart/signal.ts";
import { turnAfterReset } from "../../core/restart/take-turns.ts";
import { forgetLimit, readKnownLimit, tellLimit } from "../../store/runs/known-limit.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { listActiveIds } from "../../store/runs/run-registry.ts";
import type { Environment } from "../environment.ts";
import { readIfWhole } from "./find-run.ts";
import { logProblem } from "../program-log.ts";
import { bestEffort } from "../best-effort.ts";
import { messageOf } from "../../core/message-of.ts";

/** Two runs share a limit when this is equal. A hash, since some of the words are secrets. */
export function accountOf({ variables, claudeConfig }: Pick<Environment, "variables" | "claudeConfig">): string {
  const words = accountVariables.map((name) => variables[name] ?? "");
  return new Bun.CryptoHasher("sha256")
    .update([claudeConfig, ...words].join("\0"))
    .digest("hex")
    .slice(0, 16);
}

/** Shares the limit of an account among its runs. Best effort: without it each run finds out by itself. */
export class SharedLimit {
  readonly #environment: Environment;
  readonly #paths: RunPaths;
  readonly #run: string;
  readonly #account: string;

  constructor(environment: Environment, paths: RunPaths, run: string) {
    this.#environment = environment;
    this.#paths = paths;
    this.#run = run;
    this.#account = accountOf(environment);
  }

  known(): number | null {
    const { now } = this.#environment;
    return bestEffort(this.#environment, () => readKnownLimit(this.#paths, this.#account, now()) ?? null, null);
  }

  turn(until: number, random: number): number {
    const look = (): number => {
      const waiting = listActiveIds(this.#paths).flatMap((id) => {
        const status = id === this.#run ? undefined : readIfWhole(this.#paths, id)?.status;
        return status?.phase === "waiting-limit" ? [{ id, until: status.until }] : [];
      });
      return turnAfterReset(this.#run, until, waiting, random);
    };
    return bestEffort(this.#environment, look, 0);
  }

  async learn(end: AttemptEnd, progress: boolean): Promise<void> {
    const time = this.#environment.now();
    try {
      // The limit of one model does not hold back the runs of others, nor does a wrap-up or a limit of a subagent.
      if (end.kind === "limit" && (end.of === "model" || end.behind !== undefined)) return;
      if (end.kind === "limit" && end.resetsAt !== null && end.resetsAt > time) {
        await tellLimit(this.#paths, this.#account, { until: end.resetsAt, run: this.#run, time });
      } else if (end.kind !== "limit" && progress) await forgetLimit(this.#paths, this.#account, time);
    } catch (error) {
      logProblem(this.#environment, messageOf(error));
    }
  }
}

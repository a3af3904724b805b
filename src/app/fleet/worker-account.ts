import { checkpointsDirectory } from "../../claude/paths.ts";
import type { Usage } from "../../core/checkpoint/usage.ts";
import { tellAccount } from "../../hub/fleet-workers.ts";
import type { Sealer } from "../../io/seal/seal.ts";
import { readUsageState } from "../../store/checkpoints/usage-state.ts";
import { readKnownLimit } from "../../store/runs/known-limit.ts";
import { bestEffort } from "../best-effort.ts";
import type { Environment } from "../environment.ts";
import type { Hub } from "../hub/open-hub.ts";
import { sealLabel } from "../hub/labels.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { accountOf } from "../run-records/shared-limit.ts";
import { accountText } from "./enqueue-fleet.ts";

/** The account of a worker. Its limit and its usage are known to the whole fleet. */
export class WorkerAccount {
  readonly name: string;
  readonly #environment: Environment;

  /** Without a name it is this machine's own. */
  constructor(environment: Environment, { config }: Hub, name: string | null) {
    this.#environment = environment;
    this.name = name ?? `${config.name}-${accountOf(environment).slice(0, 6)}`;
  }

  tag(sealer: Sealer): Buffer {
    return sealer.tag(accountText(this.name));
  }

  /** Tells the fleet the limit that the runs of this machine know, and the usage that Claude reported. */
  async tell({ connection, sealer }: Hub): Promise<void> {
    const { claudeConfig, now } = this.#environment;
    const paths = runPathsOf(this.#environment);
    const until = bestEffort(
      this.#environment,
      () => readKnownLimit(paths, accountOf(this.#environment), now()) ?? null,
      null,
    );
    const usage: Usage = bestEffort(
      this.#environment,
      () => readUsageState(checkpointsDirectory(claudeConfig))?.usage ?? {},
      {},
    );
    const tag = this.tag(sealer);
    const label = sealLabel(sealer, tag.toString("hex"), { name: this.name, usage });
    // Another machine of the account may know a limit that this one does not.
    await tellAccount(connection, tag, { label, limitedMs: until === null ? undefined : until - now() });
  }
}

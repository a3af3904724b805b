import { rankOf } from "../../claude/argv/fleet-flags.ts";
import {
  fleetGiveUpMs,
  fleetLeaseSeconds,
  fleetPollMs,
  fleetRenewMs,
  workerLostSeconds,
} from "../../core/fleet/fleet-lease.ts";
import { messageOf } from "../../core/message-of.ts";
import { HubFailure } from "../../hub/connection.ts";
import { claimFleetRun, type FleetRow, readFleetRun, renewFleetRuns } from "../../hub/fleet-runs.ts";
import { forgetWorkers, greetWorker, registerWorker, removeWorker, takeLostWorkers } from "../../hub/fleet-workers.ts";
import { onSignals } from "../../io/process/on-signals.ts";
import type { Environment } from "../environment.ts";
import { sealLabel } from "../hub/labels.ts";
import type { Hub } from "../hub/open-hub.ts";
import { startReplicator } from "../hub/replicate/start-replicator.ts";
import { logProblem } from "../program-log.ts";
import { labelText } from "./enqueue-fleet.ts";
import { HubLink } from "./hub-link.ts";
import { tellLost } from "./lost-workers.ts";
import { sweepWorktrees } from "./sweep-worktrees.ts";
import { WorkerAccount } from "./worker-account.ts";
import type { WorkerOptions } from "./worker-options.ts";
import { type WorkerContext, WorkerRun } from "./worker-run.ts";

const sweepMs = 60_000;

/** Works for the fleet until a signal ends it, or with `drain` until nothing is left. */
export async function runWorker(
  environment: Environment,
  options: WorkerOptions,
  say: (text: string) => void,
): Promise<void> {
  const link = new HubLink(environment);
  try {
    // A hub that cannot be used now is said at once.
    const { config, account } = await link.use(async (hub) => ({
      config: hub.config,
      account: new WorkerAccount(environment, hub, options.account),
    }));
    const worker = crypto.randomUUID();
    const context = { environment, link, options, account, worker, name: config.name, say };
    await new Worker(context, config.machine).run();
  } finally {
    await link.close();
  }
}

class Worker {
  readonly #context: WorkerContext;
  readonly #machine: string;
  readonly #runs = new Map<string, WorkerRun>();
  /** A connection of its own: nothing that a run sends may hold up a renewal. */
  readonly #pulse: HubLink;
  #wake: () => void = () => undefined;
  #isEnding = false;
  #isEmpty = false;
  /** By the local monotonic clock, taken before the statement was sent. */
  #renewed = -Infinity;
  #isRenewing = false;
  #polled = -Infinity;
  #swept = -Infinity;
  #problem: string | undefined;

  constructor(context: WorkerContext, machine: string) {
    this.#context = context;
    this.#machine = machine;
    this.#pulse = new HubLink(context.environment);
  }

  async run(): Promise<void> {
    const { link, options, account, say } = this.#context;
    await link.use((hub) => this.#register(hub));
    startReplicator(this.#context.environment);
    const slots = options.slots === 1 ? "1 slot" : `${options.slots} slots`;
    say(`worker ${this.#context.name}: ${slots}, account ${account.name}, grants ${options.grant}`);
    const unlisten = onSignals(["SIGINT", "SIGTERM", "SIGHUP"], () => this.#end());
    const watching = setInterval(() => this.#watch(), 500);
    try {
      while (!this.#isEnding || this.#runs.size > 0) {
        await this.#step();
        if (options.drain && this.#isEmpty && this.#runs.size === 0) break;
        const woken = new Promise<void>((resolve) => (this.#wake = resolve));
        await Promise.race([Bun.sleep(this.#nextMs()), woken]);
      }
      await link.use((hub) => this.#depart(hub)).catch(() => undefined);
    } finally {
      clearInterval(watching);
      unlisten();
      await this.#pulse.close();
    }
  }

  async #register({ connection, sealer, config }: Hub): Promise<void> {
    const { worker, account, options, name } = this.#context;
    const label = sealLabel(sealer, worker, { name, account: account.name, labels: options.labels });
    const { slots } = options;
    await registerWorker(connection, {
      id: worker,
      machine: config.machine,
      account: account.tag(sealer),
      slots,
      label,
    });
  }

  async #depart(hub: Hub): Promise<void> {
    await sweepWorktrees(this.#context.environment, hub, new Set());
    await removeWorker(hub.connection, this.#context.worker);
  }

  #end(): void {
    this.#isEnding = true;
    for (const run of this.#runs.values()) run.giveUp("ending");
    this.#wake();
  }

  /** Each part of a step that fails is tried again in the next one. */
  async #step(): Promise<void> {
    const { environment, link, say } = this.#context;
    try {
      if (performance.now() - this.#polled >= fleetPollMs && !this.#isEnding) await this.#fill();
      if (performance.now() - this.#swept >= sweepMs) await this.#sweep();
      if (this.#problem !== undefined) say("the hub is back");
      this.#problem = undefined;
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== this.#problem) {
        logProblem(environment, `fleet: ${problem}`);
        say(problem);
      }
      this.#problem = problem;
      this.#polled = performance.now();
      if (!(error instanceof HubFailure)) await link.close();
    }
  }

  #nextMs(): number {
    return Math.max(50, this.#polled + fleetPollMs - performance.now());
  }

  /** Claims runs for the free slots. */
  async #fill(): Promise<void> {
    const { link, options } = this.#context;
    this.#isEmpty = false;
    while (this.#runs.size < options.slots && !this.#isEnding) {
      const began = performance.now();
      const row = await link.use((hub) => this.#claim(hub));
      if (!row) {
        this.#isEmpty = true;
        break;
      }
      if (this.#runs.size === 0) this.#renewed = began;
      this.#start(row);
    }
    this.#polled = performance.now();
  }

  #claim({ connection, sealer }: Hub): Promise<FleetRow | undefined> {
    const { worker, account, options } = this.#context;
    return claimFleetRun(connection, {
      worker,
      machine: this.#machine,
      account: account.tag(sealer),
      labels: options.labels.map((label) => sealer.tag(labelText(label))),
      grants: rankOf(options.grant),
      leaseSeconds: fleetLeaseSeconds,
    });
  }

  #start(row: FleetRow): void {
    const run = new WorkerRun(this.#context, row);
    this.#runs.set(run.id, run);
    void run.work().finally(() => {
      this.#runs.delete(run.id);
      this.#polled = -Infinity;
      this.#wake();
    });
  }

  /** Runs also while a step waits for the hub: leases are renewed, or given up in time. */
  #watch(): void {
    const silent = performance.now() - this.#renewed;
    if (this.#runs.size > 0 && silent > fleetGiveUpMs) for (const run of this.#runs.values()) run.giveUp("taken");
    if (silent < fleetRenewMs || this.#isRenewing) return;
    this.#isRenewing = true;
    void this.#renew().finally(() => (this.#isRenewing = false));
  }

  async #renew(): Promise<void> {
    const { worker } = this.#context;
    const began = performance.now();
    const ids = [...this.#runs.keys()];
    try {
      const kept = await this.#pulse.use(async (hub) => {
        const held = ids.length === 0 ? [] : await renewFleetRuns(hub.connection, worker, ids, fleetLeaseSeconds);
        if (!(await greetWorker(hub.connection, worker))) await this.#register(hub);
        return held;
      });
      this.#renewed = began;
      for (const id of ids.filter((each) => !kept.includes(each))) await this.#lose(id);
    } catch (error) {
      logProblem(this.#context.environment, `fleet: ${messageOf(error)}`);
    }
  }

  /** A run that has just ended here is no longer held, too. */
  async #lose(id: string): Promise<void> {
    const row = await this.#pulse.use(({ connection }) => readFleetRun(connection, id));
    this.#runs.get(id)?.giveUp(row?.state === "stopped" ? "stopped" : "taken");
  }

  async #sweep(): Promise<void> {
    const { environment, link, account } = this.#context;
    this.#swept = performance.now();
    await link.use(async (hub) => {
      await account.tell(hub);
      await sweepWorktrees(environment, hub, new Set(this.#runs.keys()));
      tellLost(environment, hub, await takeLostWorkers(hub.connection, workerLostSeconds));
      await forgetWorkers(hub.connection);
    });
  }
}

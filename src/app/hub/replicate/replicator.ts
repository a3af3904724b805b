import { renewAfterMs } from "../../../core/hub/lease.ts";
import { messageOf } from "../../../core/message-of.ts";
import { trimJournal } from "../../../hub/subjects.ts";
import { makeDirectory } from "../../../io/durable/durable.ts";
import { lowerPriority } from "../../../io/process/lower-priority.ts";
import { readReplicationState, writeReplicationState } from "../../../store/hub/hub-files.ts";
import { tryLock } from "../../../store/lock.ts";
import type { Environment } from "../../environment.ts";
import { logProblem } from "../../program-log.ts";
import { findHubConfig } from "../hub-config.ts";
import { pulse } from "./local-subjects.ts";
import { type Hub, openHub } from "../open-hub.ts";
import { Replication } from "./replication.ts";

const pollMs = 250;
/** Side files and journals grow without a sign in their directories. */
const scanMs = 5_000;
/** After a failure: half a second at first, a minute after about twenty failures. */
const firstPauseMs = 500;
const pauseGrowth = 1.3;
const maxPauseMs = 60_000;
const trimMs = 60 * 60_000;
/** Without work and without a session in use it ends; the next session starts it again. */
const maxIdleMs = 10 * 60_000;

/** The background process that replicates: one per machine. Ends when the machine leaves the hub, or when idle. */
export async function runReplicator(environment: Environment): Promise<void> {
  const { paths } = environment;
  makeDirectory(paths.locks);
  const lock = tryLock(paths.replicatorLock);
  if (!lock) return;
  lowerPriority();
  const loop = new ReplicatorLoop(environment);
  try {
    while (findHubConfig(environment) && !loop.isIdle) await loop.step();
  } catch (error) {
    logProblem(environment, `hub: ${messageOf(error)}`);
  } finally {
    await loop.close();
    lock.release();
  }
}

class ReplicatorLoop {
  readonly #environment: Environment;
  readonly #replication: Replication;
  #hub: Hub | undefined;
  #pulse = "";
  #failures = 0;
  #scanned = -Infinity;
  #renewed = -Infinity;
  #trimmed = -Infinity;
  #worked = performance.now();

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#replication = new Replication(environment);
  }

  get isIdle(): boolean {
    return performance.now() - this.#worked > maxIdleMs && !this.#replication.hasLive;
  }

  async step(): Promise<void> {
    try {
      const now = performance.now();
      const present = pulse(this.#environment);
      if (present !== this.#pulse || now - this.#scanned > scanMs) await this.#pass(present, now);
      const isInUse = this.#replication.hasLive || this.#worked > this.#renewed;
      if (isInUse && now - this.#renewed > renewAfterMs) await this.#renew(now);
      this.#failures = 0;
      await Bun.sleep(pollMs);
    } catch (error) {
      await this.#fail(messageOf(error));
    }
  }

  async #pass(present: string, now: number): Promise<void> {
    const { sent } = await this.#replication.pass(await this.#open());
    if (sent > 0) this.#worked = now;
    this.#pulse = present;
    this.#scanned = now;
  }

  async #renew(now: number): Promise<void> {
    const hub = await this.#open();
    await this.#replication.renew(hub);
    if (now - this.#trimmed > trimMs) {
      await trimJournal(hub.connection);
      this.#trimmed = now;
    }
    this.#renewed = now;
  }

  async #open(): Promise<Hub> {
    return (this.#hub ??= await openHub(this.#environment));
  }

  /** The hub is away: local work is not affected. Tries again, less and less often. */
  async #fail(problem: string): Promise<void> {
    const { paths } = this.#environment;
    await this.close();
    const config = findHubConfig(this.#environment);
    if (!config) return;
    const state = readReplicationState(paths, config.hub);
    if (state.problem !== problem) {
      logProblem(this.#environment, `hub: ${problem}`);
      writeReplicationState(paths, { ...state, problem });
    }
    await Bun.sleep(Math.min(maxPauseMs, firstPauseMs * pauseGrowth ** this.#failures));
    this.#failures += 1;
  }

  async close(): Promise<void> {
    const open = this.#hub;
    this.#hub = undefined;
    await open?.connection.close();
  }
}

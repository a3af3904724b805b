// Machines that write, replicate and move sessions while everything around them fails; from a seed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readHubConfig } from "../../../src/store/hub/hub-files.ts";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";
import { Workstation } from "./moving-session.ts";
import type { TestPostgres } from "./postgres.ts";
import { HubProxy } from "./proxy.ts";

export interface Acknowledged {
  machine: Workstation;
  session: string;
  word: string;
}

/** A clock that is wrong by hours, where the library for it is installed. */
const fakeClock = ["/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1", "/usr/lib/faketime/libfaketime.so.1"].find(
  (path) => existsSync(path),
);

export class Chaos implements Disposable {
  readonly machines: Workstation[];
  readonly acknowledged: Acknowledged[] = [];
  readonly sessions: string[];
  readonly counts: Record<string, number> = {};
  readonly database: string;
  readonly #postgres: TestPostgres;
  readonly #proxy: HubProxy;
  readonly #random: () => number;
  #words = 0;

  private constructor(parts: {
    machines: Workstation[];
    proxy: HubProxy;
    postgres: TestPostgres;
    database: string;
    seed: number;
    sessions: number;
  }) {
    this.machines = parts.machines;
    this.database = parts.database;
    this.#proxy = parts.proxy;
    this.#postgres = parts.postgres;
    this.#random = randomFrom(parts.seed);
    this.sessions = Array.from(
      { length: parts.sessions },
      (_, at) => `${String(at).padStart(8, "0")}-2222-4333-8444-555555555555`,
    );
  }

  static async start(postgres: TestPostgres, { seed, sessions }: { seed: number; sessions: number }): Promise<Chaos> {
    const machines = ["a", "b", "c"].map((name) => new Workstation(name));
    const proxy = await HubProxy.start(postgres.port);
    const url = await postgres.createDatabase();
    const [first, ...others] = machines;
    const line = (await first?.init(proxy.through(url))) ?? "";
    for (const machine of others) await machine.join(line);
    return new Chaos({ machines, proxy, postgres, database: new URL(url).pathname.slice(1), seed, sessions });
  }

  /** One random step. */
  async step(): Promise<void> {
    const steps: [weight: number, name: string, run: () => Promise<unknown>][] = [
      [10, "turn", () => this.#turn()],
      [6, "sync", () => this.#sync()],
      [6, "move", () => this.#move()],
      [3, "later", () => this.#later()],
      [1, "cut", () => Promise.resolve(this.#proxy.cut())],
      [1, "slow", () => this.#slow()],
      [0.3, "crash", () => this.#crash()],
    ];
    let left = this.#random() * steps.reduce((sum, [weight]) => sum + weight, 0);
    const [, name = "", run] = steps.find(([weight]) => (left -= weight) < 0) ?? [];
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    await run?.();
  }

  /** Two steps at the same time, now and then. */
  async play(steps: number): Promise<void> {
    for (let at = 0; at < steps; at++) {
      await (this.#random() < 0.3 ? Promise.all([this.step(), this.step()]) : this.step());
    }
    this.#proxy.onMessage = () => undefined;
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  /** The hook may be killed: then its turn counts as not acknowledged. */
  async #turn(): Promise<void> {
    const session = this.#pick(this.sessions);
    const owners = this.machines.filter((machine) => existsSync(machine.transcriptHere(session)));
    const isNew = !this.acknowledged.some((each) => each.session === session) && owners.length === 0;
    const machine = isNew ? this.#pick(this.machines) : owners.length > 0 ? this.#pick(owners) : undefined;
    if (!machine) return;
    const word = `word-${++this.#words}.`;
    const payload = machine.write(session, word);
    const killAfter = this.#random() < 0.2 ? this.#random() * 60 : 60_000;
    const code = await this.#skewed(machine, () =>
      machine.runAndKill(["session-snapshot", "hook"], killAfter, payload),
    );
    if (code === 0) this.acknowledged.push({ machine, session, word });
  }

  async #sync(): Promise<void> {
    const killAfter = this.#random() < 0.3 ? this.#random() * 250 : 60_000;
    const machine = this.#pick(this.machines);
    await this.#skewed(machine, () => machine.runAndKill(["hub", "sync"], killAfter));
  }

  async #move(): Promise<void> {
    const killAfter = this.#random() < 0.2 ? this.#random() * 250 : 60_000;
    const words = ["cclaude", "-p", "--resume", this.#pick(this.sessions)];
    await this.#pick(this.machines).runAndKill(words, killAfter);
  }

  /** As after 30 seconds in which no machine renews a lease. */
  async #later(): Promise<void> {
    await this.#postgres.query("UPDATE ai_runtime.subject SET leased_until = now()", this.database);
  }

  async #slow(): Promise<void> {
    const delay = this.#random() * 30;
    this.#proxy.onMessage = () => Bun.sleep(delay);
    await this.#sync();
    this.#proxy.onMessage = () => undefined;
  }

  async #crash(): Promise<void> {
    const crashed = this.#sync();
    await this.#postgres.stop("immediate");
    await crashed;
    await this.#postgres.startAgain();
  }

  async #skewed<T>(machine: Workstation, run: () => Promise<T>): Promise<T> {
    if (!fakeClock || this.#random() > 0.1) return run();
    machine.env["LD_PRELOAD"] = fakeClock;
    machine.env["FAKETIME"] = this.#random() < 0.5 ? "-3h" : "+3h";
    try {
      return await run();
    } finally {
      delete machine.env["LD_PRELOAD"];
      delete machine.env["FAKETIME"];
    }
  }

  /** Everything that a machine has of a session: the conversation, its copy, and past generations with the reason of their end. */
  kept({ machine, session }: Acknowledged): { current: string; past: { why: string; text: string }[] } {
    const paths = new SnapshotPaths(machine.files.root);
    if (readHubConfig(paths) === undefined) throw new Error("the machine has no hub");
    const read = (path: string): string => (existsSync(path) ? readFileSync(path, "latin1") : "");
    const directory = paths.generations;
    const names = existsSync(directory) ? readdirSync(directory) : [];
    const past = names
      .filter((name) => name.startsWith(`${session}.`) && name.endsWith(".state.json"))
      .map((name) => ({
        why: String((JSON.parse(read(join(directory, name))) as { why?: string }).why),
        text: read(join(directory, name.replace(".state.json", ".jsonl"))),
      }));
    return { current: read(paths.mirror(session)), past };
  }

  [Symbol.dispose](): void {
    this.#proxy[Symbol.dispose]();
    for (const machine of this.machines) machine[Symbol.dispose]();
  }
}

/** Small and good enough: the same seed gives the same steps. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

import { Failure } from "../core/failure.ts";
import type { HostedEnd } from "../core/frames.ts";
import { servicePaths } from "../core/service-paths.ts";
import type { ServiceRecord } from "../core/service-record.ts";
import { isCrashLoop } from "../core/start-limit.ts";
import { usualSize } from "../core/terminal-size.ts";
import { judge } from "../core/watchdog.ts";
import { replaceFile } from "../io/durable.ts";
import { ServiceManager } from "../io/notify-manager.ts";
import { isDirectory, readText } from "../io/read-file.ts";
import type { Pty } from "../io/pty.ts";
import { withOptionalScratchDirectory } from "../io/scratch-directory.ts";
import { ServiceLog } from "../store/service-log.ts";
import { readServiceRecord } from "../store/services.ts";
import { currentEnvironment, type Environment, runVariable } from "./environment.ts";
import { Host } from "./host.ts";
import { HostRun } from "./host-run.ts";
import { continuationSettings, hostRecords } from "./hosts.ts";
import { servicePlaces } from "./service-request.ts";
import { type PreparedStart, prepareStart } from "./service-start.ts";
import { ServiceWatch } from "./service-watch.ts";
import { runPathsOf } from "./start-run.ts";

/** How long a claude that was asked to end may take. */
const graceTime = 10_000;
const mostRestartsPerHour = 3;

/** What the wrapper starts: holds the service for as long as it lives. Returns the exit code for the system. */
export async function runService(variables: Record<string, string | undefined>, slug: string): Promise<number> {
  const outside = currentEnvironment(variables);
  const paths = runPathsOf(outside);
  const record = readServiceRecord(paths.services, slug);
  if (!record) throw new Failure("not-found", `there is no service "${slug}" in ${paths.services}`);
  // The user's own places, as they were at the install; the state directory is the one that led here.
  const environment = { ...currentEnvironment({ ...variables, ...record.environment }), cwd: record.workspace };
  const log = new ServiceLog(servicePaths(record.system, slug, servicePlaces(outside)).log, environment.now);
  // Its lock says that the service runs: there is no second one.
  const run = new HostRun(paths, slug, environment.now);
  try {
    return await new ServiceRun(environment, outside, record, log, run).run();
  } catch (error) {
    log.write(`failed: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  } finally {
    run.release();
  }
}

class ServiceRun {
  /** The user's. */
  readonly #environment: Environment;
  /** As the system started us: it says where our own state is. */
  readonly #outside: Environment;
  readonly #record: ServiceRecord;
  readonly #log: ServiceLog;
  readonly #run: HostRun;
  readonly #manager: ServiceManager;
  readonly #watchdogRestarts: number[] = [];
  #stopAsked = false;

  constructor(environment: Environment, outside: Environment, record: ServiceRecord, log: ServiceLog, run: HostRun) {
    this.#environment = environment;
    this.#outside = outside;
    this.#record = record;
    this.#log = log;
    this.#run = run;
    this.#manager = new ServiceManager(environment.variables);
  }

  async run(): Promise<number> {
    const { workspace } = this.#record;
    if (!isDirectory(workspace)) throw new Failure("not-found", `there is no directory ${workspace}`);
    if (this.#isCrashLoop()) {
      this.#log.write(
        "gave up: it was started too often and never stayed up; ai-runtime service install starts it again",
      );
      return 0;
    }
    const stop = (): void => this.#stop();
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
    // The login that started us may end: that is no reason.
    process.on("SIGHUP", () => {});
    const { beat } = this.#manager;
    const heart = beat === undefined ? undefined : setInterval(() => this.#manager.isAlive(), beat);
    try {
      for (;;) {
        const exitCode = await this.#runClaude();
        if (exitCode !== "again") return exitCode;
      }
    } finally {
      clearInterval(heart);
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, stop);
    }
  }

  /** Where the system itself does not count starts. */
  #isCrashLoop(): boolean {
    const { startLimit, slug } = this.#record;
    if (startLimit === null) return false;
    const path = `${runPathsOf(this.#outside).services}/${slug}.starts`;
    const now = this.#environment.now();
    const starts = [...numbersIn(readText(path)), now].slice(-startLimit.burst - 1);
    replaceFile(path, JSON.stringify(starts));
    return isCrashLoop(starts, startLimit, now);
  }

  async #runClaude(): Promise<number | "again"> {
    const prepared = await prepareStart(this.#environment, this.#record);
    const { decision } = prepared;
    const how = decision.kind === "plain" ? "plain" : decision.how;
    if (this.#stopAsked) return 0;
    let stopWatching = (): boolean => false;
    const lost = Promise.withResolvers<undefined>();
    const hosted = this.#host(prepared, (claude, watch) => {
      this.#log.write(`started claude (${how}, process ${claude.pid}): ${decision.why}`);
      this.#manager.ready(`claude ${how}: ${decision.why}`);
      stopWatching = this.#watch(watch, claude, () => lost.resolve(undefined));
      // Told so while nobody could hand it on.
      if (this.#stopAsked) end(claude);
    });
    const ended = await Promise.race([hosted, lost.promise]);
    const byWatchdog = stopWatching();
    if (!ended) {
      this.#log.write(
        "claude could not be ended; the service ends instead, for the system to clear up and start it again",
      );
      return 1;
    }
    this.#log.write(`claude ended: ${ended.signal ?? `exit code ${ended.exitCode}`}`);
    if (this.#stopAsked) return 0;
    return byWatchdog ? "again" : ended.exitCode;
  }

  /** In a terminal that people can attach to, by the service's name. */
  #host(
    { sessionId, command, variables }: PreparedStart,
    onReady: (claude: Pty, watch: ServiceWatch) => void,
  ): Promise<HostedEnd> {
    const { slug, workspace } = this.#record;
    const environment = this.#environment;
    const plan = {
      id: slug,
      command,
      name: "claude",
      directory: workspace,
      size: usualSize,
      greeting: null,
      sessionId,
      created: environment.now(),
    };
    // There its hooks tell when it goes on to another conversation; the host must see a limit of that one too.
    return withOptionalScratchDirectory((events) => {
      let watch: ServiceWatch | undefined;
      const host = new Host({
        plan,
        records: hostRecords(this.#outside),
        run: this.#run,
        environment: { ...environment, variables: { ...variables, [runVariable]: events } },
        settings: continuationSettings(environment),
        events,
        onOutput: (bytes) => watch?.sees(bytes),
      });
      return host.run((claude) => {
        watch = new ServiceWatch(environment, workspace, claude.pid);
        onReady(claude, watch);
      });
    });
  }

  /** Looks after claude; returns how to end that, which tells whether the watchdog has stepped in. */
  #watch(watch: ServiceWatch, claude: Pty, onLost: () => void): () => boolean {
    const { watchdogSeconds } = this.#record;
    if (watchdogSeconds === null) return () => false;
    const patience = watchdogSeconds * 1_000;
    let stepped = false;
    let saidSo = false;
    const look = (): void => {
      if (stepped || this.#stopAsked) return;
      const { now } = this.#environment;
      const rules = { patience, mostPerHour: mostRestartsPerHour };
      const verdict = judge(watch.look(), this.#watchdogRestarts, rules, now());
      if (verdict.kind === "leave") saidSo = false;
      if (verdict.kind === "give-up" && !saidSo) {
        saidSo = true;
        this.#log.write(`watchdog: ${verdict.why}; it is left alone`);
      }
      if (verdict.kind !== "restart") return;
      stepped = true;
      this.#watchdogRestarts.push(now());
      this.#log.write(`watchdog: ${verdict.why}; it is stopped and started again`);
      end(claude, onLost);
    };
    const timer = setInterval(look, Math.min(patience / 4, 5_000));
    return () => {
      clearInterval(timer);
      return stepped;
    };
  }

  /** Claude itself is asked by its host. */
  #stop(): void {
    if (this.#stopAsked) return;
    this.#stopAsked = true;
    this.#log.write("told to stop");
  }
}

/** Asks first. What does not end even by force is lost. */
function end(claude: Pty, onLost: () => void = () => {}): void {
  claude.signal("SIGTERM");
  let timer = setTimeout(() => {
    claude.killAll();
    timer = setTimeout(onLost, graceTime);
  }, graceTime);
  void claude.ended.then(() => clearTimeout(timer));
}

function numbersIn(text: string | undefined): number[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter((item) => typeof item === "number") : [];
  } catch {
    return [];
  }
}

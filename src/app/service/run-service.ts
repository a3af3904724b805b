import { Failure } from "../../core/failure.ts";
import type { HostedEnd } from "../../core/host/frames.ts";
import { servicePaths } from "../../core/service/service-paths.ts";
import type { ServiceRecord } from "../../core/service/service-record.ts";
import { isCrashLoop } from "../../core/service/start-limit.ts";
import { defaultSize } from "../../core/host/terminal-size.ts";
import { decideWatchdog } from "../../core/service/watchdog.ts";
import { replaceFile } from "../../io/durable/durable.ts";
import { ServiceManager } from "../../io/process/notify-manager.ts";
import { isDirectory, readText } from "../../io/files/read-file.ts";
import type { Pty } from "../../io/terminal/pty.ts";
import { withOptionalScratchDirectory } from "../../io/durable/scratch-directory.ts";
import { ServiceLog } from "../../store/services/service-log.ts";
import { readServiceRecord } from "../../store/services/services.ts";
import { currentEnvironment, type Environment, runVariable } from "../environment.ts";
import { notify } from "../notify/notify.ts";
import { loadSettings } from "../settings.ts";
import { Host } from "../host/host.ts";
import { HostRun } from "../hosted-claude/host-run.ts";
import { hostRecords } from "../host/registry.ts";
import { servicePlaces } from "./service-request.ts";
import { type PreparedStart, prepareStart } from "./service-start.ts";
import { ServiceWatch } from "./service-watch.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Variables } from "../../core/variables.ts";

/** The service kills a claude that has not ended this long after SIGTERM. */
const endTimeoutMs = 10_000;
const maxWatchdogRestartsPerHour = 3;

/** Runs a service until it ends; the wrapper starts this. Returns the exit code for the system. */
export async function runService(variables: Variables, slug: string): Promise<number> {
  const outside = currentEnvironment(variables);
  const paths = runPathsOf(outside);
  const record = readServiceRecord(paths.services, slug);
  if (!record) throw new Failure("not-found", `there is no service "${slug}" in ${paths.services}`);
  // The user's directories come from the record, as they were at install. Our state directory comes from the wrapper.
  const environment = { ...currentEnvironment({ ...variables, ...record.environment }), cwd: record.workspace };
  const log = new ServiceLog(servicePaths(record.system, slug, servicePlaces(outside)).log, environment.now);
  // Its lock prevents a second instance of this service.
  const run = new HostRun(paths, slug, environment.now);
  try {
    return await new ServiceRun(environment, outside, record, log, run).run();
  } catch (error) {
    log.write(`failed: ${messageOf(error)}`);
    throw error;
  } finally {
    run.release();
  }
}

class ServiceRun {
  /** The user's environment, for claude. */
  readonly #environment: Environment;
  /** The environment in which the system started this process: it locates our state directory. */
  readonly #outside: Environment;
  readonly #record: ServiceRecord;
  readonly #log: ServiceLog;
  readonly #run: HostRun;
  readonly #manager: ServiceManager;
  readonly #watchdogRestarts: number[] = [];
  #stopRequested = false;

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
        "gave up: the service was started too often and never stayed up; ai-runtime service install starts it again",
      );
      this.#tellGivenUp();
      return 0;
    }
    const stop = (): void => this.#stop();
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
    // The service continues when the login session that started it ends.
    process.on("SIGHUP", () => {});
    const { beat } = this.#manager;
    const heartbeat = beat === undefined ? undefined : setInterval(() => this.#manager.isAlive(), beat);
    try {
      for (;;) {
        const exitCode = await this.#runClaude();
        if (exitCode !== undefined) return exitCode;
      }
    } finally {
      clearInterval(heartbeat);
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, stop);
    }
  }

  #tellGivenUp(): void {
    const { slug, workspace } = this.#record;
    const facts = { source: "service", id: slug, title: null, directory: workspace, until: null, need: null } as const;
    notify(this.#environment, { ...facts, event: "gave-up", cause: "crash" });
  }

  /** Counts starts where the system does not. */
  #isCrashLoop(): boolean {
    const { startLimit, slug } = this.#record;
    if (startLimit === null) return false;
    const path = `${runPathsOf(this.#outside).services}/${slug}.starts`;
    const now = this.#environment.now();
    const starts = [...numbersIn(readText(path)), now].slice(-startLimit.burst - 1);
    replaceFile(path, JSON.stringify(starts));
    return isCrashLoop(starts, startLimit, now);
  }

  /** Returns the exit code of the service; undefined when the watchdog ended claude, which then starts again. */
  async #runClaude(): Promise<number | undefined> {
    const lastHost = hostRecords(this.#outside).read(this.#record.slug);
    const prepared = await prepareStart(this.#environment, this.#record, lastHost);
    using _ = prepared.hooked;
    const { decision, mode } = prepared;
    const how = decision.kind === "plain" ? "plain" : decision.how;
    if (this.#stopRequested) return 0;
    let stopWatching = (): boolean => false;
    const lost = Promise.withResolvers<undefined>();
    const hosted = this.#host(prepared, (claude, watch) => {
      this.#log.write(`started claude (${how}, process ${claude.pid}): ${decision.why}`);
      if (mode?.isStricter) {
        this.#log.write(
          `in permission mode ${mode.mode}, the conversation's last one: it is stricter than the service's flags`,
        );
      }
      this.#manager.ready(`claude ${how}: ${decision.why}`);
      stopWatching = this.#watch(watch, claude, () => lost.resolve(undefined));
      // The stop request arrived before claude was running.
      if (this.#stopRequested) end(claude);
    });
    const ended = await Promise.race([hosted, lost.promise]);
    const byWatchdog = stopWatching();
    if (!ended) {
      this.#log.write(
        "claude could not be ended; the service ends instead, so that the system cleans up and restarts it",
      );
      return 1;
    }
    this.#log.write(`claude ended: ${ended.signal ?? `exit code ${ended.exitCode}`}`);
    if (this.#stopRequested) return 0;
    return byWatchdog ? undefined : ended.exitCode;
  }

  /** Runs claude in a host, so users can attach to it by the service's name. */
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
      size: defaultSize,
      greeting: null,
      sessionId,
      created: environment.now(),
      background: true,
    } as const;
    // The hooks report here when claude switches to another conversation, so the host sees a limit there too.
    return withOptionalScratchDirectory((events) => {
      let watch: ServiceWatch | undefined;
      const host = new Host({
        plan,
        records: hostRecords(this.#outside),
        run: this.#run,
        environment: { ...environment, variables: { ...variables, [runVariable]: events } },
        settings: loadSettings(environment).settings,
        events,
        service: { onOutput: (bytes) => watch?.onOutput(bytes) },
      });
      return host.run({
        onReady: (claude) => {
          watch = new ServiceWatch(environment, workspace, claude.pid);
          onReady(claude, watch);
        },
      });
    });
  }

  /** Starts the watchdog. Returns a function that stops it and returns whether it ended claude. */
  #watch(watch: ServiceWatch, claude: Pty, onLost: () => void): () => boolean {
    const { watchdogSeconds } = this.#record;
    if (watchdogSeconds === null) return () => false;
    const silenceLimitMs = watchdogSeconds * 1_000;
    let hasEndedClaude = false;
    let hasLoggedGiveUp = false;
    const check = (): void => {
      if (hasEndedClaude || this.#stopRequested) return;
      const { now } = this.#environment;
      const rules = { silenceLimitMs, maxRestartsPerHour: maxWatchdogRestartsPerHour };
      const verdict = decideWatchdog(watch.readSigns(), this.#watchdogRestarts, rules, now());
      if (verdict.kind === "leave") hasLoggedGiveUp = false;
      if (verdict.kind === "give-up" && !hasLoggedGiveUp) {
        hasLoggedGiveUp = true;
        this.#log.write(`watchdog: ${verdict.why}; leaving it alone`);
      }
      if (verdict.kind !== "restart") return;
      hasEndedClaude = true;
      this.#watchdogRestarts.push(now());
      this.#log.write(`watchdog: ${verdict.why}; restarting it`);
      end(claude, onLost);
    };
    const timer = setInterval(check, Math.min(silenceLimitMs / 4, 5_000));
    return () => {
      clearInterval(timer);
      return hasEndedClaude;
    };
  }

  /** Only records the request: the host ends claude. */
  #stop(): void {
    if (this.#stopRequested) return;
    this.#stopRequested = true;
    this.#log.write("stop requested");
  }
}

/** Sends SIGTERM, then kills. Calls `onLost` when claude survives even that. */
function end(claude: Pty, onLost: () => void = () => {}): void {
  claude.signal("SIGTERM");
  let timer = setTimeout(() => {
    claude.killAll();
    timer = setTimeout(onLost, endTimeoutMs);
  }, endTimeoutMs);
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

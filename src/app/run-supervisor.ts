import { claudeEnvironment } from "../claude/environment.ts";
import { beginAgain, contextMessage, type Interruption, type Work } from "../core/context-message.ts";
import type { FailureKind } from "../core/failure.ts";
import { type Action, type Context, transition } from "../core/machine.ts";
import type { RunRecord } from "../core/run-record.ts";
import { readRunSettings, type RunSettings } from "../core/run-settings.ts";
import type { AttemptEnd, Signal } from "../core/signal.ts";
import { Inbox } from "../io/inbox.ts";
import { onSignals } from "../io/on-signals.ts";
import { identifyProcess } from "../io/process.ts";
import { waitUntil } from "../io/wait-until.ts";
import { claudeFile } from "../store/claude-versions.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { isStopRequested } from "../store/run-registry.ts";
import { type Environment, runVariable } from "./environment.ts";
import { finishCheckpoint } from "./finish-checkpoint.ts";
import type { WentBack } from "./go-back.ts";
import { recordUsage } from "./near-cap.ts";
import { orElse } from "./or-else.ts";
import { prepareRun } from "./prepare-run.ts";
import { type AttemptResult, RunAttempt } from "./run-attempt.ts";
import { hasConversation, hasTraces } from "./run-conversation.ts";
import { RunLedger } from "./run-ledger.ts";
import { endOf } from "./run-ended.ts";
import type { RunEnded, RunView } from "./run-view.ts";
import { SharedLimit } from "./shared-limit.ts";

export interface Supervised {
  readonly environment: Environment;
  readonly paths: RunPaths;
  readonly record: RunRecord;
  readonly view: RunView;
  /** Nobody asked for this start just now: what is known of a limit is believed. */
  readonly automatic: boolean;
  /** A run without a terminal does not end with one. */
  readonly detached: boolean;
  /** Milliseconds after which it begins. */
  readonly delay: number;
}

/** How long claude gets to end by itself. */
const grace = 10_000;
/** A stop reaches us by a signal; where there are none, and for one that was lost, the request is looked for. */
const lookForStop = 5_000;

/** Runs a task until it has ended, one way or another. The caller holds the run's lock. */
export function superviseRun(supervised: Supervised): Promise<RunEnded> {
  return new RunSupervisor(supervised).run();
}

class RunSupervisor {
  readonly #given: Supervised;
  readonly #ledger: RunLedger;
  readonly #settings: RunSettings;
  readonly #limit: SharedLimit;
  readonly #inbox = new Inbox<Signal>();
  readonly #variables: Record<string, string | undefined>;
  readonly #started: number;
  #abort = new AbortController();
  #asked: boolean;
  #attempt: RunAttempt | undefined;
  #last: AttemptResult | undefined;
  #wentBack: WentBack | undefined;
  #usage = Promise.resolve();
  #following = Promise.resolve();
  #preparing = Promise.resolve();
  readonly #failed = Promise.withResolvers<never>();

  constructor(given: Supervised) {
    const { environment, paths, record, automatic } = given;
    this.#given = given;
    this.#ledger = new RunLedger(paths, record, environment.now, (message) =>
      given.view.show({ kind: "trouble", message }),
    );
    this.#settings = readRunSettings(environment.variables);
    for (const message of this.#settings.problems) given.view.show({ kind: "trouble", message });
    this.#limit = new SharedLimit(environment, paths, record.plan.id);
    this.#started = environment.now();
    this.#asked = !automatic;
    const { [runVariable]: _, ...variables } = claudeEnvironment(environment.variables);
    this.#variables = variables;
    // Whether anybody is there to hear of it or not.
    this.#failed.promise.catch(() => {});
  }

  async run(): Promise<RunEnded> {
    const unlisten = onSignals(["SIGINT", "SIGTERM", "SIGHUP"], (signal) => {
      if (this.#isStopRequested()) this.#inbox.post({ kind: "stop" });
      else if (signal === "SIGINT") this.#inbox.post({ kind: "interrupted" });
      else if (signal !== "SIGHUP" || !this.#given.detached) this.#inbox.post({ kind: "interrupted", bySystem: true });
    });
    const looking = setInterval(() => this.#isStopRequested() && this.#inbox.post({ kind: "stop" }), lookForStop);
    const begin = setTimeout(() => this.#inbox.post({ kind: "begin" }), this.#given.delay);
    try {
      this.#ledger.taken(identifyProcess(process.pid));
      if (this.#isStopRequested()) this.#inbox.post({ kind: "stop" });
      for (;;) {
        const signal = await Promise.race([this.#inbox.take(), this.#failed.promise]);
        const exit = await this.#handle(signal);
        if (exit) return await this.#finish(exit);
      }
    } catch (error) {
      // Nobody would hold it any more: a claude that goes on would be in the way of the next.
      await this.#attempt?.child.end(grace);
      throw error;
    } finally {
      clearTimeout(begin);
      clearInterval(looking);
      unlisten();
    }
  }

  #isStopRequested(): boolean {
    const { environment, paths, record } = this.#given;
    return orElse(environment, () => isStopRequested(paths, record.plan.id), false);
  }

  /** What goes on beside the signals: its failure ends the run as one of theirs would. */
  #beside(work: Promise<void>): Promise<void> {
    return work.catch((error: unknown) => this.#failed.reject(error));
  }

  async #handle(signal: Signal): Promise<FailureKind | "done" | undefined> {
    const before = this.#ledger.record.status;
    const { life, actions } = transition(before, signal, this.#context(signal));
    if (actions.length === 0 && life.phase === before.phase) return undefined;
    // Whatever was being waited for is over: what follows from this signal takes its place.
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#ledger.transition(signal, life, actions);
    for (const action of actions) {
      if (action.kind === "finish") return action.exit;
      await this.#perform(action, signal);
    }
    return undefined;
  }

  #context(signal: Signal): Context {
    const { environment } = this.#given;
    const { plan, status } = this.#ledger.record;
    const now = environment.now();
    const limited = signal.kind === "ended" && signal.end.kind === "limit" ? signal.end.resetsAt : null;
    const known = this.#asked ? null : this.#limit.known();
    const random = Math.random();
    return {
      now,
      random,
      begun: status.attempts > 0 && hasTraces(environment, plan.sessionId),
      knownLimit: known,
      turn: this.#limit.turn(limited ?? known ?? now, random),
      maxWait: plan.maxWait,
      ...this.#settings,
    };
  }

  async #perform(action: Exclude<Action, { kind: "finish" }>, signal: Signal): Promise<void> {
    switch (action.kind) {
      case "launch":
        return this.#launch();
      case "wait":
        return void this.#beside(this.#wait(action.until, signal));
      case "prepare":
        this.#preparing = this.#beside(this.#prepare(action.restore));
        return;
      case "end-claude":
        await this.#attempt?.child.end(grace);
        // What it came to belongs to the records as well.
        return this.#following;
    }
  }

  #launch(): void {
    const { environment, view } = this.#given;
    const { plan, status } = this.#ledger.record;
    this.#asked = false;
    const budgetUsd = plan.maxBudgetUsd === null ? null : plan.maxBudgetUsd - status.costUsd;
    if (budgetUsd !== null && budgetUsd <= 0) return this.#post({ kind: "budget" }, false);
    const resume = hasConversation(environment, plan.sessionId);
    const attempt = status.attempts + 1;
    this.#ledger.launching(attempt, resume);
    const file = orElse(environment, () => claudeFile(plan.claude), undefined);
    try {
      this.#attempt = new RunAttempt(environment, this.#ledger, view, {
        file,
        variables: this.#variables,
        resume,
        prompt: resume ? this.#contextMessage() : beginAgain(this.#work()),
        budgetUsd,
        onUsage: (usage) => {
          const sighting = { sessionId: plan.sessionId, transcriptPath: undefined, directory: plan.cwd };
          const record = (): Promise<unknown> => recordUsage(environment, { ...sighting, contextPercent: null, usage });
          // Good to have: no trouble with it is the run's.
          this.#usage = this.#usage.then(record).then(
            () => {},
            () => {},
          );
        },
      });
    } catch (error) {
      // The executable or the directory is gone.
      view.show({ kind: "trouble", message: error instanceof Error ? error.message : String(error) });
      this.#last = undefined;
      return this.#post({ kind: "refused" }, false);
    }
    this.#ledger.launched(this.#attempt.child.identity);
    view.show({ kind: "launched", attempt, resumed: resume });
    this.#inbox.post({ kind: "launched" });
    this.#following = this.#beside(this.#followAttempt(this.#attempt));
  }

  async #followAttempt(attempt: RunAttempt): Promise<void> {
    const result = await attempt.ended;
    const { end, progress, exitCode, signal, costUsd } = result;
    this.#last = result;
    this.#ledger.attemptEnded(end, { progress, exitCode, signal: signal ?? null }, costUsd);
    await this.#limit.learn(end, progress);
    this.#post(end, progress);
  }

  #post(end: AttemptEnd, progress: boolean): void {
    this.#inbox.post({ kind: "ended", end, progress });
  }

  async #wait(until: number, signal: Signal): Promise<void> {
    const { view } = this.#given;
    const { phase, cause } = this.#ledger.record.status;
    const waitsFor = phase === "waiting-limit" ? "limit" : "retry";
    if (waitsFor === "limit") {
      const known = signal.kind !== "ended" || signal.end.kind !== "limit" || signal.end.resetsAt !== null;
      view.show({ kind: "waiting", until, known });
    } else view.show({ kind: "backing-off", cause: cause ?? "crash", how: this.#howItEnded(), until });
    const tick = view.tick;
    const aborted = this.#abort.signal;
    const waited = await waitUntil(until, {
      signal: aborted,
      ...(tick ? { onTick: (left: number) => tick(until, left, waitsFor) } : {}),
    });
    if (waited === "reached") this.#inbox.post({ kind: "reached" });
  }

  #howItEnded(): string | undefined {
    if (!this.#last) return undefined;
    return this.#last.signal ?? `exit code ${this.#last.exitCode}`;
  }

  async #prepare(restore: boolean): Promise<void> {
    const { environment, view } = this.#given;
    const given = { environment, view, ledger: this.#ledger, wentBack: this.#wentBack };
    const { signal, wentBack } = await prepareRun({ ...given, transcript: this.#last?.transcript }, restore);
    this.#wentBack = wentBack;
    this.#inbox.post(signal);
  }

  #contextMessage(): string {
    const why = interruptions[this.#ledger.record.status.cause ?? ""] ?? "interrupted";
    const digest = why === "overload" ? this.#wentBack?.digest : undefined;
    const work = this.#work();
    // A digest has the last words itself.
    return contextMessage(why, digest, digest ? { ...work, lastSentence: undefined } : work);
  }

  #work(): Work {
    const { record, steps, filesWritten } = this.#ledger;
    return {
      task: record.plan.task,
      lastStep: steps.at(-1),
      steps: steps.length,
      lastSentence: steps.length > 0 ? undefined : (record.status.lastStep ?? undefined),
      files: filesWritten,
    };
  }

  async #finish(exit: FailureKind | "done"): Promise<RunEnded> {
    await this.#usage;
    // A restore is not left half done for whoever takes the run up next.
    await this.#preparing;
    // What is not recorded is not called done.
    const settled = this.#ledger.settle();
    const milliseconds = this.#given.environment.now() - this.#started;
    const ended = endOf(this.#ledger.record, this.#last, { exit: settled ? exit : "partial", milliseconds });
    this.#given.view.show(ended);
    const { record, filesWritten } = this.#ledger;
    if (ended.exit === "done") await finishCheckpoint(this.#given.environment, record.plan, filesWritten);
    return ended;
  }
}

const interruptions: Record<string, Interruption> = {
  limit: "limit",
  server: "server",
  overload: "overload",
  crash: "crash",
  empty: "crash",
};

import { claudeEnvironment } from "../../claude/environment.ts";
import type { FailureKind } from "../../core/failure.ts";
import { type RunAction, type RunContext, transition } from "../../core/restart/machine.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import { type AttemptEnd, limitOf, type Signal } from "../../core/restart/signal.ts";
import { Inbox } from "../../io/inbox.ts";
import { identifyProcess } from "../../io/process/process.ts";
import { waitUntil } from "../../io/wait-until.ts";
import { claudeFile } from "../../store/cclaude/claude-versions.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { type Environment, runVariable, runIdVariable, toldVariable } from "../environment.ts";
import { ColdResume } from "../cost/cold-resume.ts";
import { costsFor } from "../run-records/run-costs.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { lostWork } from "../resume/lost-work.ts";
import { withNativeRetry } from "../resume/native-retry.ts";
import { finishCheckpoint } from "../checkpoint/finish-checkpoint.ts";
import { loadSettings, type LoadedSettings } from "../settings.ts";
import { recordUsage } from "../checkpoint/near-cap.ts";
import { bestEffort } from "../best-effort.ts";
import { type Prepared, prepareRun } from "./prepare-run.ts";
import { type AttemptResult, RunAttempt } from "./run-attempt.ts";
import { hasConversation, hasTraces } from "./run-conversation.ts";
import { runPrompt } from "./run-prompt.ts";
import { claudeExitTimeoutMs } from "../run-records/hold-run.ts";
import { RunLedger } from "../run-records/run-ledger.ts";
import { endOf, waitOf } from "./run-ended.ts";
import type { RunEnded, RunView } from "./run-events.ts";
import { RunNews } from "./run-news.ts";
import { listenForStops } from "./stop-signals.ts";
import { SharedLimit } from "../run-records/shared-limit.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Variables } from "../../core/variables.ts";

export interface Supervised {
  readonly environment: Environment;
  readonly paths: RunPaths;
  readonly record: RunRecord;
  readonly view: RunView;
  /** Started by us and not by the user: a limit that another run reported is believed. */
  readonly automatic: boolean;
  /** Without a terminal: a hang-up does not end it. */
  readonly detached: boolean;
  /** Milliseconds until it begins. */
  readonly delay: number;
}

/** Supervises a run until it ends or pauses. The caller holds the run's lock. */
export function superviseRun(supervised: Supervised): Promise<RunEnded> {
  return new RunSupervisor(supervised).run();
}

class RunSupervisor {
  readonly #given: Supervised;
  readonly #ledger: RunLedger;
  readonly #settings: LoadedSettings;
  readonly #limit: SharedLimit;
  readonly #news: RunNews;
  readonly #cold: ColdResume;
  readonly #inbox = new Inbox<Signal>();
  readonly #variables: Variables;
  readonly #started: number;
  #abort = new AbortController();
  #asked: boolean;
  #attempt: RunAttempt | undefined;
  #last: AttemptResult | undefined;
  /** A claude would have retried forever. Later ones do not retry by themselves, so that their error is seen. */
  #retriedEndlessly = false;
  #prepared: Omit<Prepared, "signal"> | undefined;
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
    this.#settings = loadSettings(environment);
    for (const message of this.#settings.problems) given.view.show({ kind: "trouble", message });
    this.#limit = new SharedLimit(environment, paths, record.plan.id);
    this.#cold = new ColdResume(environment);
    this.#news = new RunNews(environment, record.plan, given.view);
    this.#started = environment.now();
    this.#asked = !automatic;
    const { [runVariable]: _, ...variables } = claudeEnvironment(environment.variables);
    this.#variables = {
      ...variables,
      [runIdVariable]: record.plan.id,
      // The prompt names the calls that the conversation lacks.
      [toldVariable]: record.plan.sessionId,
    };
    // Prevents an unhandled rejection.
    this.#failed.promise.catch(ignore);
  }

  async run(): Promise<RunEnded> {
    const unlisten = listenForStops(this.#given, (signal) => this.#inbox.post(signal));
    const begin = setTimeout(() => this.#inbox.post({ kind: "begin" }), this.#given.delay);
    try {
      this.#ledger.taken(identifyProcess(process.pid));
      for (;;) {
        const signal = await Promise.race([this.#inbox.take(), this.#failed.promise]);
        const exit = await this.#handle(signal);
        if (exit) return await this.#finish(exit);
      }
    } catch (error) {
      // An unsupervised claude would hold the session when the run is resumed.
      await this.#attempt?.child.end(claudeExitTimeoutMs);
      throw error;
    } finally {
      clearTimeout(begin);
      unlisten();
    }
  }

  /** Work that runs while signals are handled; its failure ends the run. */
  #inBackground(work: Promise<void>): Promise<void> {
    return work.catch((error: unknown) => this.#failed.reject(error));
  }

  async #handle(signal: Signal): Promise<FailureKind | "done" | undefined> {
    const before = this.#ledger.record.status;
    const { state, actions } = transition(before, signal, this.#context(signal));
    if (actions.length === 0 && state.phase === before.phase) return undefined;
    // This signal ends the current wait.
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#ledger.transition(signal, state, actions);
    this.#news.changed(before, state);
    for (const action of actions) {
      if (action.kind === "finish") return action.exit;
      await this.#perform(action, signal);
    }
    return undefined;
  }

  #context(signal: Signal): RunContext {
    const { environment } = this.#given;
    const { plan, status } = this.#ledger.record;
    const now = environment.now();
    const limited = limitOf(signal)?.resetsAt;
    const known = this.#asked ? null : this.#limit.known();
    const random = Math.random();
    const { maxAttempts, runRetrySeconds, waitSeconds } = this.#settings.settings;
    return {
      now,
      random,
      begun: status.attempts > 0 && hasTraces(environment, plan.sessionId),
      knownLimit: known,
      turn: this.#limit.turn(limited ?? known ?? now, random),
      maxWait: plan.maxWait,
      maxAttempts,
      firstDelay: 1_000 * runRetrySeconds,
      unknownLimit: 1_000 * waitSeconds,
    };
  }

  async #perform(action: Exclude<RunAction, { kind: "finish" }>, signal: Signal): Promise<void> {
    switch (action.kind) {
      case "launch":
        return this.#launch();
      case "wait":
        return void this.#inBackground(this.#wait(action, signal));
      case "prepare":
        this.#preparing = this.#inBackground(this.#prepare(action.restore));
        return;
      case "end-claude":
        await this.#attempt?.child.end(claudeExitTimeoutMs);
        // Its result must be recorded before the run ends.
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
    const file = bestEffort(environment, () => claudeFile(plan.claude), undefined);
    try {
      this.#attempt = new RunAttempt(environment, this.#ledger, view, {
        file,
        variables: withNativeRetry(environment, file, this.#variables, {
          nativeRetry: this.#settings.settings.nativeRetry,
          mayWait: plan.maxWait !== 0 && !this.#retriedEndlessly,
        }),
        resume,
        onRetry: (signal, isAtPlanLimit) => {
          this.#inbox.post(signal);
          if (signal.kind !== "retrying" || !isAtPlanLimit) return;
          const limit = { kind: "limit", resetsAt: signal.until } as const;
          this.#usage = this.#usage.then(() => this.#limit.learn(limit, false));
        },
        permissionMode: resume ? this.#prepared?.permissionMode : undefined,
        prompt: this.#prompt(resume),
        budgetUsd,
        onUsage: (usage) => {
          this.#cold.onUsage(usage);
          const sighting = { sessionId: plan.sessionId, transcriptPath: undefined, directory: plan.cwd };
          const record = (): Promise<unknown> => recordUsage(environment, { ...sighting, contextPercent: null, usage });
          // Best effort: a failure must not end the run.
          this.#usage = this.#usage.then(record).then(ignore, ignore);
        },
      });
    } catch (error) {
      // The executable or the directory is gone.
      view.show({ kind: "trouble", message: messageOf(error) });
      this.#last = undefined;
      return this.#post({ kind: "refused" }, false);
    }
    this.#ledger.launched(this.#attempt.child.identity);
    view.show({ kind: "launched", attempt, resumed: resume });
    this.#inbox.post({ kind: "launched" });
    this.#following = this.#inBackground(this.#followAttempt(this.#attempt));
  }

  async #followAttempt(attempt: RunAttempt): Promise<void> {
    const result = await attempt.ended;
    const { end, message, progress, exitCode, signal, costUsd } = result;
    this.#last = result;
    this.#retriedEndlessly ||= result.retriedEndlessly;
    this.#settleCost();
    this.#ledger.attemptEnded(end, { message, progress, exitCode, signal: signal ?? null }, costUsd);
    // The answers of an attempt that ended in its wait came before the limit.
    if (!result.diedInWait) await this.#limit.learn(end, progress);
    this.#post(end, progress);
  }

  #settleCost(): void {
    const { environment, record } = this.#given;
    const path = findTranscript(environment, record.plan.sessionId);
    const cost = path === undefined ? undefined : this.#cold.settle(path);
    if (cost) this.#ledger.note("cold-resume", { ...cost });
  }

  #post(end: AttemptEnd, progress: boolean): void {
    this.#inbox.post({ kind: "ended", end, progress });
  }

  async #wait({ until, isSilent }: Extract<RunAction, { kind: "wait" }>, signal: Signal): Promise<void> {
    const { view } = this.#given;
    const waiting = waitOf(this.#ledger.record, this.#last, signal, until);
    if (!isSilent) view.show(waiting);
    const waitsFor = waiting.kind === "waiting" ? "limit" : "retry";
    const tick = isSilent ? undefined : view.tick;
    const waited = await waitUntil(until, {
      signal: this.#abort.signal,
      ...(tick ? { onTick: (left: number) => tick(until, left, waitsFor) } : {}),
    });
    if (waited === "reached") this.#inbox.post({ kind: "reached" });
  }

  async #prepare(restore: boolean): Promise<void> {
    const { environment, view } = this.#given;
    const lastRestore = this.#prepared?.lastRestore;
    const given = { environment, view, ledger: this.#ledger, lastRestore, cold: this.#cold };
    const { signal, ...prepared } = await prepareRun({ ...given, transcript: this.#last?.transcript }, restore);
    this.#prepared = prepared;
    this.#inbox.post(signal);
  }

  #prompt(isResumed: boolean): string {
    const { environment, record } = this.#given;
    const known = { lost: lostWork(environment, record.plan.sessionId), lostTasks: this.#last?.lostTasks ?? [] };
    return runPrompt(this.#ledger, { isResumed, digest: this.#prepared?.lastRestore?.digest, ...known });
  }

  async #finish(exit: FailureKind | "done"): Promise<RunEnded> {
    await this.#usage;
    // The next supervisor must not find a restore half done.
    await this.#preparing;
    // A run is done only when its records say so.
    const settled = this.#ledger.settle();
    const { environment } = this.#given;
    const times = { started: this.#started, now: environment.now() };
    const costs = bestEffort(environment, () => costsFor(environment, this.#ledger.record.plan.cwd), undefined);
    const ended = { ...endOf(this.#ledger.record, this.#last, { exit: settled ? exit : "partial", ...times }), costs };
    this.#given.view.show(ended);
    const { record, filesWritten } = this.#ledger;
    if (ended.exit === "done") await finishCheckpoint(this.#given.environment, record.plan, filesWritten);
    return ended;
  }
}

const ignore = (): void => {};

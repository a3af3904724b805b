import { hasFlag, joinArguments, type Segment } from "../../claude/argv/flags.ts";
import { promptWords } from "../../claude/argv/new-conversation.ts";
import { keptArguments } from "../../claude/argv/restart-arguments.ts";
import { permissionModeOf } from "../../claude/argv/run-arguments.ts";
import { isStartedByClaude } from "../../claude/environment.ts";
import { makeRunId } from "../../core/run/run-id.ts";
import { newRun, type RunRecord, type RunStatus } from "../../core/run/run-record.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { isInputPiped } from "../../io/process/piped-input.ts";
import { identifyProcess } from "../../io/process/process.ts";
import { isTerminal } from "../../io/terminal/terminal-modes.ts";
import { readSessionEvents } from "../../store/cclaude/session-events.ts";
import { runDirectory, RunPaths, runRoot } from "../../store/runs/run-paths.ts";
import { isHeld, listActiveIds, readIfWhole, registerRun, writeRun } from "../../store/runs/run-registry.ts";
import { removeSessionRecord } from "../../store/runs/session-registry.ts";
import { type Environment, hostVariable, runIdVariable } from "../environment.ts";
import { bestEffort } from "../best-effort.ts";
import { givenSession } from "../session/find-session.ts";

/** Like claude, which prints when stdout is not a terminal. */
export const isInteractive = (segments: readonly Segment[]): boolean => !hasFlag(segments, "print") && isTerminal(1);

/**
 * Whether this cclaude needs a record. A host or a run has its own. A claude that Claude started is part of that Claude's work, and
 * is not resumed beside it.
 */
export const needsRecord = ({ variables }: Environment): boolean =>
  variables[hostVariable] === undefined && variables[runIdVariable] === undefined && !isStartedByClaude(variables);

/**
 * The session of this cclaude in the registry of runs: written before claude starts, removed at an orderly end. What a kill, a
 * lost terminal or a reboot leaves there can be recovered. Failures are only logged, so that they never keep claude from running.
 */
export class RegisteredSession {
  /** Where the hooks of this session report. */
  readonly events: string;
  readonly #environment: Environment;
  readonly #paths: RunPaths;
  #record: RunRecord;
  #isInterrupted = false;

  private constructor(environment: Environment, paths: RunPaths, record: RunRecord) {
    this.#environment = environment;
    this.#paths = paths;
    this.#record = record;
    this.events = paths.sessionEvents(record.plan.id);
    registerRun(paths, record);
  }

  /** Undefined when the record cannot be written. */
  static register(
    environment: Environment,
    claude: string,
    segments: readonly Segment[],
  ): RegisteredSession | undefined {
    const supervisor = identifyProcess(process.pid);
    if (!supervisor) return undefined;
    const { cwd, claudeConfig, variables, home, now } = environment;
    const created = now();
    const id = makeRunId(created, Math.random);
    const { version, plan, status } = newRun({
      id,
      kind: isInteractive(segments) ? "interactive" : "headless",
      task: promptWords(segments)[0] ?? "",
      cwd,
      directory: runDirectory(cwd, id),
      sessionId: givenSession(segments) ?? "",
      claude,
      flags: keptArguments(joinArguments(segments)),
      permissionMode: permissionModeOf(segments),
      claudeConfig,
      created,
      maxWait: null,
      maxBudgetUsd: null,
      cclaude: { isPiped: isInputPiped() },
    });
    const record: RunRecord = { version, plan, status: { ...status, phase: "working", supervisor } };
    const paths = new RunPaths(runRoot(variables, home));
    const registered = bestEffort(environment, () => new RegisteredSession(environment, paths, record), undefined);
    // A write that failed at its last step may have left a record, which would outlive the session.
    const isOurs = (): boolean => readIfWhole(paths, id)?.status.supervisor?.pid === process.pid;
    if (!registered) bestEffort(environment, () => isOurs() && removeSessionRecord(paths, id), undefined);
    return registered;
  }

  /** Claude runs, for the first time or again. The directory for its hooks is made while it starts. */
  launched(pid: number): void {
    bestEffort(this.#environment, () => makeDirectory(this.events), undefined);
    const attempts = this.#record.status.attempts + 1;
    this.#write({ phase: "working", until: null, cause: null, child: identifyProcess(pid) ?? null, attempts });
  }

  /** For a limit, in cclaude or in its claude; undefined: claude works again. */
  waiting(until: number | undefined): void {
    const isOver = until === undefined;
    this.#write({
      phase: isOver ? "working" : "waiting-limit",
      until: until ?? null,
      cause: isOver ? null : "limit",
    });
  }

  /** The terminal is gone before the work is done. */
  interrupted(): void {
    this.#isInterrupted = true;
    this.#write({ phase: "paused", until: null, cause: "hangup" });
  }

  /** An orderly end: nothing is left to recover, neither of this session nor of an earlier interruption that it continued. */
  ended(sessionId: string | undefined): void {
    if (this.#isInterrupted) return;
    bestEffort(
      this.#environment,
      () => {
        this.#remove();
        if (sessionId !== undefined) this.#removeContinued(sessionId);
      },
      undefined,
    );
  }

  /** An error ends cclaude. Without a started claude there is nothing to recover. */
  failed(): void {
    if (this.#record.status.attempts === 0) this.ended(undefined);
  }

  /** Tries twice: a record that stays would later be offered as an interrupted session. */
  #remove(): void {
    const { id } = this.#record.plan;
    try {
      removeSessionRecord(this.#paths, id);
    } catch {
      removeSessionRecord(this.#paths, id);
    }
  }

  #removeContinued(sessionId: string): void {
    for (const id of listActiveIds(this.#paths)) {
      const other = readIfWhole(this.#paths, id);
      if (!other?.plan.cclaude || isHeld(other)) continue;
      const reported = readSessionEvents(this.#paths.sessionEvents(id)).at(-1)?.sessionId;
      if ((reported ?? other.plan.sessionId) === sessionId) removeSessionRecord(this.#paths, id);
    }
  }

  #write(change: Partial<RunStatus>): void {
    const since = this.#environment.now();
    this.#record = { ...this.#record, status: { ...this.#record.status, ...change, since } };
    bestEffort(this.#environment, () => writeRun(this.#paths, this.#record), undefined);
  }
}

import { joinArguments, type Segment } from "../../claude/argv/flags.ts";
import { resumeArguments } from "../../claude/argv/resume-arguments.ts";
import { keptArguments, withPermissionMode } from "../../claude/argv/restart-arguments.ts";
import type { RestartMode } from "../../claude/permission-mode.ts";
import type { Interruption } from "../../core/restart/context-message.ts";
import {
  countRestart,
  decideEnding,
  type EndDecision,
  type EndOutcome,
  type RestartHistory,
} from "../../core/restart/ending.ts";
import { InputFeed } from "../../io/process/feed-input.ts";
import { fileSize } from "../../io/files/read-file.ts";
import type { ChildEnd } from "../../io/process/run-child.ts";
import { isTerminal, rememberTerminal, type TerminalModes } from "../../io/terminal/terminal-modes.ts";
import { type LastDecision, writeLastDecision } from "../../store/cclaude/last-decision.ts";
import type { CclaudeEnd } from "./cclaude.ts";
import { type AttemptStart, ClaudeAttempts, type ClaudeStart, type EndedAttempt } from "./attempts.ts";
import { currentEnvironment, type Environment } from "../environment.ts";
import { type FoundSession, givenSession } from "../session/find-session.ts";
import { type Gathered, isAtWork } from "../resume/gather-evidence.ts";
import { type RestoreToFit, restoreToFit } from "../resume/restore-to-fit.ts";
import { bestEffort } from "../best-effort.ts";
import { loadSettings, type LoadedSettings } from "../settings.ts";
import { delaysOf, finalLimitOf, pauseBeforeRestart } from "./pause.ts";
import { PrintOutput } from "./print-output.ts";
import { isInteractive, type RegisteredSession } from "./registered-session.ts";
import { exitEvent } from "./exit-event.ts";
import { guardWait } from "./guard-wait.ts";
import { nextAttempt, restartInput, restartPrompt } from "./next-attempt.ts";
import { offerRestore } from "./offer-restore.ts";
import { PendingRecord } from "./pending-record.ts";
import { bringBackGiven } from "./bring-back-given.ts";
import { prepareResume } from "../resume/prepare-resume.ts";
import { findRestartMode } from "../resume/restart-mode.ts";
import type { NoAnswer, RecoveryEvent, RecoveryStop } from "../resume/recovery-events.ts";
import type { Announcer } from "./announcer.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Variables } from "../../core/variables.ts";

export interface Supervision extends ClaudeStart {
  readonly segments: readonly Segment[];
  /** Our own variables; claude gets others. */
  readonly settingsFrom: Variables;
  readonly announcer: Announcer;
  /** Undefined when something else has a record of this session, or none could be written. */
  readonly registered: RegisteredSession | undefined;
}

/** After this much time with an answer, a restore has worked: the next overload counts from zero. */
const restoreProvenMs = 10 * 60_000;

/** Runs claude, and resumes its session until it ends for good. */
export function superviseClaude(supervision: Supervision): Promise<CclaudeEnd> {
  return new Supervisor(supervision).run();
}

/** An ended claude whose session can be resumed. */
type Resumable = Gathered & { readonly session: FoundSession };

/** The next attempt, and what its start completes. */
type Restart = AttemptStart & { readonly outcome?: EndOutcome };

class Supervisor {
  readonly #given: Supervision;
  readonly #environment: Environment;
  readonly #settings: LoadedSettings;
  readonly #argv: string[];
  readonly #interactive: boolean;
  readonly #directory = process.cwd();
  readonly #attempts: ClaudeAttempts;
  readonly #pending: PendingRecord;
  readonly #terminal: TerminalModes | undefined;
  readonly #feed = new InputFeed();
  /** Only in print mode: an interactive claude has the terminal itself. */
  readonly #output: PrintOutput | undefined;
  /** Milliseconds since 1970. */
  readonly #started: number;
  #history: RestartHistory = { crashes: 0, limits: 0, restores: 0, restarts: 0 };
  #hasReportedProblems = false;
  /** The permissions that the session had at its end. */
  #mode: RestartMode | undefined;
  /** What --explain shows. */
  #recorded: LastDecision | undefined;
  #lastRestore: (RestoreToFit & { restoredAt: number }) | undefined;

  constructor(given: Supervision) {
    this.#given = given;
    this.#environment = currentEnvironment(given.settingsFrom);
    this.#started = this.#environment.now();
    this.#argv = joinArguments(given.segments);
    this.#interactive = isInteractive(given.segments);
    this.#output = this.#interactive ? undefined : new PrintOutput(given.segments);
    this.#settings = loadSettings(this.#environment);
    const announce = (event: RecoveryEvent, id: string): void => this.#announce(event, id);
    const onWait = (until: number | undefined): void => given.registered?.waiting(until);
    const display = { announce, countdown: given.announcer.countdown, onWait };
    const mode = { interactive: this.#interactive, directory: this.#directory, display };
    this.#attempts = new ClaudeAttempts(this.#environment, given, mode, this.#settings.settings);
    const kept = keptArguments(this.#argv);
    this.#pending = new PendingRecord(this.#environment, kept, this.#directory, given.eventsDirectory);
    this.#terminal = this.#interactive && isTerminal(0) ? rememberTerminal() : undefined;
  }

  async run(): Promise<CclaudeEnd> {
    try {
      let start: Restart = { segments: this.#given.segments };
      await bringBackGiven(this.#environment, start.segments, (event, id) => this.#announce(event, id));
      const output = this.#output;
      const onOutput = output && ((bytes: Uint8Array): Promise<boolean> => output.take(bytes));
      for (;;) {
        const ended = await this.#attempts.run({ ...start, onOutput }, (pid) => {
          this.#given.registered?.launched(pid);
          void this.#pending.write(start.session?.id ?? givenSession(start.segments));
          if (start.outcome !== undefined) this.#recordOutcome(start.outcome);
        });
        const next = await this.#follow(ended);
        if (!("segments" in next)) {
          this.#given.registered?.ended(this.#recorded?.sessionId ?? undefined);
          return next;
        }
        await output?.discard();
        start = next;
      }
    } catch (error) {
      this.#given.registered?.failed();
      throw error;
    } finally {
      await this.#feed.close();
      await this.#pending.remove();
    }
  }

  /** A failure of ours must not hide how claude itself ended. */
  async #follow(ended: EndedAttempt): Promise<CclaudeEnd | Restart> {
    try {
      return await this.#decide(ended.end, this.#attempts.gather(ended));
    } catch (error) {
      const message = messageOf(error);
      return this.#leave("failed", ended.end, () => this.#announce({ kind: "undecided", message }, undefined));
    }
  }

  async #decide(end: ChildEnd, gathered: Gathered): Promise<CclaudeEnd | Restart> {
    const { evidence, session, words } = gathered;
    const time = this.#environment.now();
    this.#recorded = undefined;
    if (this.#lastRestore && evidence.progress && time - this.#lastRestore.restoredAt > restoreProvenMs) {
      this.#lastRestore = undefined;
      this.#history = { ...this.#history, restores: 0 };
    }
    const history = this.#history;
    const rules = { now: time, ...delaysOf(this.#settings.settings, this.#interactive) };
    const decision = await offerRestore(this.#environment, decideEnding(evidence, history, rules), {
      session,
      previous: this.#lastRestore,
      announcer: this.#given.announcer,
      settle: (signal) => this.#settleSignal(signal, session?.id),
    });
    const record = { cwd: this.#directory, sessionId: session?.id ?? null, history, decision };
    this.#recorded = { version: 1, time, ...record, evidence: { ...evidence, ...words } };
    if (evidence.signal !== null && decision.action.kind !== "exit") await this.#terminal?.restore();
    if (gathered.hungUp && (!this.#interactive || isAtWork(gathered))) this.#given.registered?.interrupted();
    if (gathered.stoppedWait)
      return this.#leave("stopped-waiting", { own: "stopped" }, () =>
        this.#announce({ kind: "stopped-waiting" }, session?.id),
      );
    if (!session || decision.action.kind === "exit") {
      return this.#leave("ended", end, () => this.#explainExit(decision, end.exitCode, gathered));
    }
    this.#recordOutcome(null);
    this.#reportProblems(session.id);
    this.#history = countRestart(history, decision, evidence.progress);
    this.#mode = findRestartMode(this.#argv, session.transcriptPath, this.#started, gathered.reportedMode);
    return this.#act(decision, { ...gathered, session }, end);
  }

  async #act(decision: EndDecision, gathered: Resumable, end: ChildEnd): Promise<CclaudeEnd | Restart> {
    const { action, cause } = decision;
    const { session } = gathered;
    const sessionId = session.id;
    const size = fileSize(session.transcriptPath);
    const leave = (outcome: EndOutcome, stop: RecoveryStop, as: CclaudeEnd = end): Promise<CclaudeEnd> =>
      this.#leave(outcome, as, () => this.#announce(stop, sessionId));
    switch (action.kind) {
      case "exit":
        return this.#leave("ended", end);
      case "give-up":
        return leave(
          "gave-up",
          cause === "overload" ? { kind: "restored-too-often" } : { kind: "gave-up", attempts: undefined },
        );
      case "restore":
        return this.#restore(gathered, end);
      case "hold": {
        const held = { kind: "held", of: finalLimitOf(gathered)?.of ?? "spend", message: gathered.errorText } as const;
        return leave("held", held, { own: "waiting" });
      }
      case "wait":
      case "resume": {
        if (action.kind === "wait" && this.#settings.settings.cclaudeNoWait) {
          const until = action.known ? action.until : null;
          return leave("not-waiting", { kind: "not-waiting", until }, { own: "waiting" });
        }
        this.#announceNoAnswer(sessionId);
        if (!(await this.#pause(decision, gathered, end))) {
          return leave("stopped-waiting", { kind: "stopped-waiting" }, { own: "stopped" });
        }
        const readiness = await prepareResume(this.#environment, session, size);
        if (readiness === "went-on-elsewhere") return leave(readiness, { kind: readiness });
        if (readiness === "repaired") this.#announce({ kind: readiness }, sessionId);
        return { ...this.#restart(gathered, cause as Interruption), outcome: "resumed" };
      }
    }
  }

  #announce(event: RecoveryEvent | RecoveryStop | NoAnswer, sessionId: string | undefined): void {
    const argv = withPermissionMode(this.#argv, this.#mode?.isStricter ? this.#mode.mode : undefined);
    this.#given.announcer.announce(event, { id: sessionId, resume: resumeArguments(argv, sessionId) });
  }

  /** Another attempt prints the answer, so what this one printed does not go to stdout. */
  #announceNoAnswer(sessionId: string): void {
    const message = this.#output?.message;
    if (message !== undefined) this.#announce({ kind: "no-answer", message }, sessionId);
  }

  /** Nothing follows, so what claude printed last is the answer. `say` explains it. */
  async #leave(outcome: EndOutcome, end: CclaudeEnd, say?: () => void): Promise<CclaudeEnd> {
    await this.#output?.release();
    say?.();
    this.#recordOutcome(outcome);
    return end;
  }

  #recordOutcome(outcome: EndOutcome | null): void {
    const recorded = this.#recorded;
    if (!recorded) return;
    const { paths } = this.#environment;
    bestEffort(this.#environment, () => writeLastDecision(paths, { ...recorded, outcome }), undefined);
  }

  /** Once, and only when cclaude acts: until then the settings change nothing. */
  #reportProblems(sessionId: string): void {
    if (this.#hasReportedProblems) return;
    this.#hasReportedProblems = true;
    for (const message of this.#settings.problems) this.#announce({ kind: "trouble", message }, sessionId);
  }

  /** Returns false when the user ended the wait. */
  async #pause(decision: EndDecision, gathered: Resumable, end: ChildEnd): Promise<boolean> {
    const announce = (event: RecoveryEvent): void => this.#announce(event, gathered.session.id);
    const { countdown } = this.#given.announcer;
    const now = this.#environment.now();
    const unguard = guardWait((signal) => this.#settleSignal(signal, gathered.session.id));
    if (decision.action.kind === "wait") this.#given.registered?.waiting(decision.action.until);
    try {
      return await pauseBeforeRestart(decision, gathered, end, { now, announce, countdown });
    } finally {
      unguard();
    }
  }

  /** Before cclaude dies in a wait: a lost terminal interrupts the session, any other signal is the user's stop. */
  async #settleSignal(signal: NodeJS.Signals, sessionId: string | undefined): Promise<void> {
    if (signal === "SIGHUP") this.#given.registered?.interrupted();
    else this.#given.registered?.ended(sessionId);
    await this.#output?.release();
  }

  async #restore(gathered: Resumable, end: ChildEnd): Promise<CclaudeEnd | Restart> {
    const { session } = gathered;
    const restore = await restoreToFit(this.#environment, session, this.#lastRestore);
    if (!restore) {
      return this.#leave("no-restore-point", end, () => this.#announce({ kind: "no-restore-point" }, session.id));
    }
    this.#announceNoAnswer(session.id);
    this.#lastRestore = { ...restore, restoredAt: this.#environment.now() };
    const { turn, time, mark } = restore;
    this.#announce({ kind: "restored", turn, time, mark }, session.id);
    return { ...this.#restart(gathered, "overload"), outcome: "restored" };
  }

  #restart(gathered: Resumable, cause: Interruption): AttemptStart {
    const { session } = gathered;
    const mode = this.#mode;
    if (mode?.isStricter) this.#announce({ kind: "stricter-mode", mode: mode.mode }, session.id);
    const argv = withPermissionMode(this.#argv, mode?.mode);
    const prompt = restartPrompt(this.#environment, gathered, cause, this.#lastRestore?.digest);
    const input = restartInput(prompt, this.#given.segments, this.#interactive, this.#feed);
    return nextAttempt({ argv, session, prompt, input, directory: this.#directory });
  }

  #explainExit(decision: EndDecision, exitCode: number, { session, errorText }: Gathered): void {
    const event = exitEvent(decision, exitCode, errorText);
    if (event) this.#announce(event, session?.id);
  }
}

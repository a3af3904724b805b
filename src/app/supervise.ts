import { hasFlag, joinArguments, type Segment, splitArguments, valueOf } from "../claude/flags.ts";
import { keptArguments, restartArguments } from "../claude/restart-arguments.ts";
import { streamMessage } from "../claude/stream-message.ts";
import { contextMessage, type Interruption } from "../core/context-message.ts";
import { countRestart, type Decision, decideEnding, type History } from "../core/ending.ts";
import { readSupervisionSettings, type SupervisionSettings } from "../core/supervision-settings.ts";
import { InputFeed } from "../io/feed-input.ts";
import { fileSize } from "../io/read-file.ts";
import type { ChildEnd } from "../io/run-child.ts";
import { isTerminal, rememberTerminal, type TerminalModes } from "../io/terminal-modes.ts";
import { waitUntil } from "../io/wait-until.ts";
import { writeLastDecision } from "../store/last-decision.ts";
import type { RunEnd } from "./cclaude.ts";
import { ClaudeRuns, type ClaudeStart, type Ended, type Start } from "./claude-runs.ts";
import { currentEnvironment, type Environment } from "./environment.ts";
import type { FoundSession } from "./find-session.ts";
import type { Gathered } from "./gather-evidence.ts";
import { goBack, type WentBack } from "./go-back.ts";
import { orElse } from "./or-else.ts";
import { PendingRecord } from "./pending-record.ts";
import { prepareResume } from "./prepare-resume.ts";
import { projectDirectoryOf } from "./project-directory.ts";
import type { Talk } from "./talk.ts";

export interface Supervision extends ClaudeStart {
  readonly segments: readonly Segment[];
  /** Our own variables; those for claude are others. */
  readonly settingsFrom: Record<string, string | undefined>;
  readonly talk: Talk;
}

/** Restores this long ago were good enough: the next overload is another one. */
const restoreHeld = 10 * 60_000;

/** Runs claude, and again for as long as its ends call for it. */
export function superviseClaude(supervision: Supervision): Promise<RunEnd> {
  return new Supervisor(supervision).run();
}

class Supervisor {
  readonly #given: Supervision;
  readonly #environment: Environment;
  readonly #settings: SupervisionSettings;
  readonly #argv: string[];
  readonly #interactive: boolean;
  readonly #directory = process.cwd();
  readonly #runs: ClaudeRuns;
  readonly #pending: PendingRecord;
  readonly #terminal: TerminalModes | undefined;
  readonly #feed = new InputFeed();
  #history: History = { crashes: 0, limits: 0, restores: 0, restarts: 0 };
  #wentBack: (WentBack & { time: number }) | undefined;

  constructor(given: Supervision) {
    this.#given = given;
    this.#environment = currentEnvironment(given.settingsFrom);
    this.#argv = joinArguments(given.segments);
    // As claude sees it: without a terminal to write on it prints.
    this.#interactive = !hasFlag(given.segments, "print") && isTerminal(1);
    this.#settings = readSupervisionSettings(given.settingsFrom, this.#interactive ? "interactive" : "print");
    this.#runs = new ClaudeRuns(this.#environment, given, {
      interactive: this.#interactive,
      directory: this.#directory,
    });
    this.#pending = new PendingRecord(this.#environment, keptArguments(this.#argv), this.#directory);
    this.#terminal = this.#interactive && isTerminal(0) ? rememberTerminal() : undefined;
  }

  async run(): Promise<RunEnd> {
    try {
      let start: Start = { segments: this.#given.segments };
      for (;;) {
        const ended = await this.#runs.run(start, () => void this.#pending.write(start.session?.id));
        const next = await this.#follow(ended);
        if (!("segments" in next)) return next;
        start = next;
      }
    } finally {
      await this.#feed.close();
      await this.#pending.remove();
    }
  }

  /** What cannot be found out or done must not hide how claude itself ended. */
  async #follow(ended: Ended): Promise<RunEnd | Start> {
    try {
      return await this.#decide(ended.end, this.#runs.look(ended));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#given.talk.say({ kind: "trouble", message });
      return ended.end;
    }
  }

  async #decide(end: ChildEnd, gathered: Gathered): Promise<RunEnd | Start> {
    const { evidence, session } = gathered;
    const { paths, now } = this.#environment;
    const time = now();
    if (this.#wentBack && evidence.progress && time - this.#wentBack.time > restoreHeld) {
      this.#wentBack = undefined;
      this.#history = { ...this.#history, restores: 0 };
    }
    const history = this.#history;
    const decision = decideEnding(evidence, history, { now: time, ...this.#settings });
    const record = { cwd: this.#directory, sessionId: session?.id ?? null, evidence, history, decision };
    orElse(this.#environment, () => writeLastDecision(paths, { version: 1, time, ...record }), undefined);
    if (evidence.signal !== null && decision.action.kind !== "exit") await this.#terminal?.restore();
    if (!session || decision.action.kind === "exit") {
      this.#help(decision, end.exitCode);
      return end;
    }
    this.#history = countRestart(history, decision.action, evidence.progress);
    return this.#act(decision, { ...gathered, session }, end);
  }

  async #act(
    decision: Decision,
    gathered: Gathered & { session: FoundSession },
    end: ChildEnd,
  ): Promise<RunEnd | Start> {
    const { action, cause } = decision;
    const { session } = gathered;
    const { talk } = this.#given;
    const sessionId = session.id;
    const size = fileSize(session.transcriptPath);
    switch (action.kind) {
      case "exit":
        return end;
      case "give-up":
        talk.say({ kind: "gave-up", cause, sessionId });
        return end;
      case "restore":
        return this.#restore(gathered, end);
      case "wait":
      case "resume": {
        if (action.kind === "wait" && this.#settings.noWait) {
          talk.say({ kind: "not-waiting", sessionId, until: action.until, known: action.known });
          return { own: "waiting" };
        }
        if (!(await this.#pause(decision, sessionId, end))) return { own: "stopped" };
        const readiness = await prepareResume(this.#environment, session, size);
        if (readiness !== "ready") talk.say({ kind: readiness, sessionId });
        if (readiness === "went-on-elsewhere") return end;
        return this.#restart(gathered, cause as Interruption);
      }
    }
  }

  /** False when the user ended it. */
  async #pause({ action, cause }: Decision, sessionId: string, end: ChildEnd): Promise<boolean> {
    const { talk } = this.#given;
    if (action.kind === "resume") {
      const how = end.signal ?? `exit code ${end.exitCode}`;
      talk.say({
        kind: "resuming",
        cause: cause === "server" ? "server" : "crash",
        sessionId,
        delay: action.delay,
        how,
      });
      if ((await waitUntil(this.#environment.now() + action.delay)) === "reached") return true;
    } else if (action.kind === "wait") {
      talk.say({ kind: "waiting", sessionId, until: action.until, known: action.known });
      const countdown = talk.countdown(action.until);
      const waited = await waitUntil(action.until, countdown ? { onTick: (left) => countdown.tick(left) } : {});
      countdown?.end(waited === "reached");
      if (waited === "reached") {
        talk.say({ kind: "continuing", sessionId });
        return true;
      }
    }
    talk.say({ kind: "stopped-waiting", sessionId });
    return false;
  }

  async #restore(gathered: Gathered & { session: FoundSession }, end: ChildEnd): Promise<RunEnd | Start> {
    const { session, evidence } = gathered;
    const { talk } = this.#given;
    const went = await goBack(this.#environment, session, evidence, this.#wentBack);
    if (!went) {
      talk.say({ kind: "no-restore-point", sessionId: session.id });
      return end;
    }
    this.#wentBack = { ...went, time: this.#environment.now() };
    talk.say({ kind: "restored", sessionId: session.id, mark: went.mark.n, time: went.mark.time });
    return this.#restart(gathered, "overload");
  }

  #restart({ session, midTurn, evidence }: Gathered & { session: FoundSession }, cause: Interruption): Start {
    // At the prompt of a terminal there is nothing to go on with: the user does.
    const isIdle = this.#interactive && !midTurn && cause === "crash" && !evidence.finalError;
    const prompt = isIdle
      ? undefined
      : contextMessage(cause, cause === "overload" ? this.#wentBack?.digest : undefined);
    // Prompts that come on stdin are asked for there: one on the command line would be passed over.
    const streamed = valueOf(this.#given.segments, "input-format") === "stream-json" ? prompt : undefined;
    const spoken = streamed === undefined ? prompt : undefined;
    return {
      segments: splitArguments(restartArguments(this.#argv, { id: session.id, prompt: spoken })),
      session,
      directory: projectDirectoryOf(session.transcriptPath, this.#directory),
      input: streamed === undefined ? this.#usedInput() : { first: streamMessage(streamed), feed: this.#feed },
    };
  }

  /** What was on a pipe, the first claude has read. */
  #usedInput(): "empty" | undefined {
    return isTerminal(0) ? undefined : "empty";
  }

  #help({ cause }: Decision, exitCode: number): void {
    const { talk } = this.#given;
    if (cause === "authentication" || cause === "billing") talk.say({ kind: "help", cause, exitCode });
    else if (cause === "not-started" && exitCode === 1) talk.say({ kind: "help", cause, exitCode });
  }
}

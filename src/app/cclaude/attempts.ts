import { hasRetryWatchdog } from "../../claude/environment.ts";
import { joinArguments, type Segment } from "../../claude/argv/flags.ts";
import { signalProcess } from "../../io/process/end-process.ts";
import { identifyProcess } from "../../io/process/process.ts";
import { type ChildEnd, type InPlace, runInPlace } from "../../io/process/run-child.ts";
import { claudeFile, type ClaudeFile, rememberVersion } from "../../store/cclaude/claude-versions.ts";
import { restoreRequestLifetimeMs, takeRestoreRequest } from "../../store/cclaude/restore-request.ts";
import { readSessionEvents } from "../../store/cclaude/session-events.ts";
import type { Environment } from "../environment.ts";
import { type EndedClaude, findEndedSession, type FoundSession, givenSession } from "../session/find-session.ts";
import { OwnWaitView, type WaitDisplay } from "./own-wait-view.ts";
import { type Gathered, gatherEvidence } from "../resume/gather-evidence.ts";
import { toldVariables } from "../resume/lost-work.ts";
import { argumentsWithHooks } from "../hook/inject-hooks.ts";
import { bestEffort } from "../best-effort.ts";
import { mayWaitInTerminal, withNativeRetry } from "../resume/native-retry.ts";
import type { Settings } from "../../core/settings.ts";
import type { Variables } from "../../core/variables.ts";

/** What is the same for every attempt of a claude session. */
export interface ClaudeStart {
  readonly claude: string;
  /** Claude's environment. */
  readonly variables: Variables;
  /** Where the hooks of this session report what they see; without one they report nothing. */
  readonly eventsDirectory: string | undefined;
}

/** How one attempt starts claude. */
export interface AttemptStart {
  readonly segments: readonly Segment[];
  readonly session?: FoundSession;
  readonly directory?: string | undefined;
  readonly input?: InPlace["input"];
  /** Receives what claude prints, instead of our stdout. */
  readonly onOutput?: InPlace["onOutput"];
}

export interface EndedAttempt {
  readonly start: AttemptStart;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly pid: number;
  readonly end: ChildEnd;
  /** Claude ended while it waited for a limit inside its process. */
  readonly wasWaiting: boolean;
}

interface Mode {
  readonly interactive: boolean;
  readonly directory: string;
  /** Where the user sees that claude waits inside its process. */
  readonly display: WaitDisplay;
}

const failedApi = { exitCode: 1, signal: null, finalError: { kind: "server" } } as const;

/** Starts claude and collects the evidence after its end. */
export class ClaudeAttempts {
  readonly #environment: Environment;
  readonly #given: ClaudeStart;
  readonly #mode: Mode;
  readonly #file: ClaudeFile | undefined;
  #variables: Variables;
  /** The claude that this class ended, because it would have retried forever. */
  #endlessPid: number | undefined;

  constructor(environment: Environment, given: ClaudeStart, mode: Mode, settings: Settings) {
    this.#environment = environment;
    this.#given = given;
    this.#mode = mode;
    this.#file = bestEffort(environment, () => claudeFile(given.claude), undefined);
    this.#variables = withNativeRetry(environment, this.#file, given.variables, {
      nativeRetry: settings.nativeRetry,
      mayWait: !settings.cclaudeNoWait && (!mode.interactive || mayWaitInTerminal(settings)),
      isSilent: !mode.interactive,
    });
  }

  async run(start: AttemptStart, onStart: (pid: number) => void): Promise<EndedAttempt> {
    const { claude } = this.#given;
    const variables = this.#variables;
    const text = typeof start.input === "object" && "text" in start.input ? start.input.text : "";
    const words = [...joinArguments(start.segments), text];
    const told = toldVariables(words, start.session?.id ?? givenSession(start.segments));
    const started = this.#environment.now();
    let pid = 0;
    using hooked = argumentsWithHooks(this.#environment, this.#file, start.segments);
    const find = (): FoundSession | undefined =>
      pid === 0 ? undefined : findEndedSession(this.#environment, this.#describe(start, started, pid));
    // In a terminal claude shows its wait itself.
    const isUnseen = !this.#mode.interactive && hasRetryWatchdog(variables);
    using view = isUnseen ? new OwnWaitView(find, this.#mode.display, () => this.#endEndlessRetry(pid)) : undefined;
    const end = await runInPlace({
      command: [claude, ...hooked.words],
      variables: { ...variables, ...told },
      directory: start.directory,
      input: start.input,
      onOutput: start.onOutput,
      onStart: (child) => {
        pid = child;
        onStart(child);
      },
    });
    return { start, started, pid, end, wasWaiting: view?.isWaiting() ?? false };
  }

  gather({ start, started, pid, end, wasWaiting }: EndedAttempt): Gathered {
    const found = gatherEvidence(this.#environment, this.#describe(start, started, pid), end);
    const restoreRequested = this.#takeRequest(found.session, started);
    const gathered = restoreRequested ? { ...found, evidence: { ...found.evidence, restoreRequested } } : found;
    this.#remember(gathered.version);
    const stoppedWait = wasWaiting && end.stopAsked && gathered.evidence.signal === null;
    if (pid !== this.#endlessPid || end.stopAsked) return { ...gathered, stoppedWait };
    return { ...gathered, stoppedWait, evidence: { ...gathered.evidence, ...failedApi } };
  }

  /** Only a request for this conversation, made while this claude ran. */
  #takeRequest(session: FoundSession | undefined, started: number): boolean {
    const { eventsDirectory } = this.#given;
    if (eventsDirectory === undefined) return false;
    const request = bestEffort(this.#environment, () => takeRestoreRequest(eventsDirectory), undefined);
    if (request === undefined || request.sessionId !== session?.id || request.time < started) return false;
    return this.#environment.now() - request.time < restoreRequestLifetimeMs;
  }

  /** The next claude does not retry by itself, so it ends with the error that says what helps. */
  #endEndlessRetry(pid: number): void {
    const identity = identifyProcess(pid);
    if (!identity || this.#endlessPid === pid) return;
    this.#endlessPid = pid;
    this.#variables = this.#given.variables;
    signalProcess(identity, "SIGTERM");
  }

  #describe({ segments }: AttemptStart, started: number, pid: number): EndedClaude & { readonly interactive: boolean } {
    const { eventsDirectory } = this.#given;
    const { interactive, directory } = this.#mode;
    const reported = eventsDirectory === undefined ? [] : readSessionEvents(eventsDirectory);
    const all = reported.filter(({ time }) => time >= started);
    const own = all.filter(({ claudePid }) => claudePid === pid);
    // No event has our pid when a wrapper starts claude and waits for it.
    return { interactive, directory, pid, started, segments, events: own.length > 0 ? own : all };
  }

  #remember(version: string | undefined): void {
    const file = this.#file;
    if (!version || !file) return;
    bestEffort(this.#environment, () => rememberVersion(this.#environment.paths, file, version), undefined);
  }
}

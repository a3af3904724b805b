import { hasRetryWatchdog } from "../../claude/environment.ts";
import { OwnRetries, type OwnRetry } from "../../claude/stream/own-retries.ts";
import { type AttemptEvidence, explainAttemptEnd, readAttemptEnd } from "../../claude/stream/attempt-end.ts";
import { AttemptReader } from "../../claude/stream/attempt-reader.ts";
import { splitArguments } from "../../claude/argv/flags.ts";
import { withPermissionMode } from "../../claude/argv/restart-arguments.ts";
import { launchArguments } from "../../claude/argv/run-arguments.ts";
import { CallReader } from "../../claude/stream/call-reader.ts";
import { lastSentence, StepReader, withoutMarkers } from "../../claude/stream/step-reader.ts";
import { readStreamLine, type StreamEvent } from "../../claude/stream/stream.ts";
import { toolSubject, writtenFile } from "../../claude/stream/tool-subject.ts";
import { messageOf } from "../../core/message-of.ts";
import type { AttemptEnd } from "../../core/restart/signal.ts";
import { fullestReset, type Usage } from "../../core/checkpoint/usage.ts";
import { StreamChild } from "../../io/process/stream-child.ts";
import { signalOf } from "../../io/process/signal-of.ts";
import { type ClaudeFile, rememberVersion } from "../../store/cclaude/claude-versions.ts";
import type { Environment } from "../environment.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { currentClock, readTranscriptEnd, type TranscriptEnd } from "../session/transcript-end.ts";
import { recordStep } from "../hook/record-step.ts";
import { argumentsWithHooks } from "../hook/inject-hooks.ts";
import { bestEffort } from "../best-effort.ts";
import { logProblem } from "../program-log.ts";
import { claudeExitTimeoutMs } from "../run-records/hold-run.ts";
import type { RunLedger } from "../run-records/run-ledger.ts";
import type { RunEvent, RunView } from "./run-events.ts";
import type { Variables } from "../../core/variables.ts";

export interface AttemptPlan {
  readonly file: ClaudeFile | undefined;
  readonly variables: Variables;
  readonly resume: boolean;
  /** Undefined: that of the run's flags. */
  readonly permissionMode: string | undefined;
  readonly prompt: string;
  readonly budgetUsd: number | null;
  readonly onUsage: (usage: Usage) => void;
  /** Claude waits inside its process, or has an answer after such a wait. */
  readonly onRetry: (signal: Exclude<OwnRetry, { kind: "endless" }>, isAtPlanLimit: boolean) => void;
}

export interface AttemptResult {
  readonly end: AttemptEnd;
  /** What Claude, the API or a hook said about an end before the task was done. */
  readonly message: string | undefined;
  /** Background tasks that ended with claude, and whose result it did not receive. */
  readonly lostTasks: readonly string[];
  readonly progress: boolean;
  /** It ended while claude waited for a limit inside its process. */
  readonly diedInWait: boolean;
  /** The supervisor ended it, because claude would have retried forever. */
  readonly retriedEndlessly: boolean;
  readonly answer: string | undefined;
  readonly costUsd: number;
  readonly exitCode: number;
  readonly signal: string | undefined;
  readonly stderr: string;
  readonly transcript: TranscriptEnd | undefined;
}

/** One start of `claude -p`: shows and records its stream as it arrives, and classifies its end. */
export class RunAttempt {
  readonly child: StreamChild;
  readonly ended: Promise<AttemptResult>;
  readonly #environment: Environment;
  readonly #ledger: RunLedger;
  readonly #view: RunView;
  readonly #plan: AttemptPlan;
  readonly #steps: StepReader;
  readonly #started: number;
  readonly #reader = new AttemptReader();
  readonly #calls = new CallReader();
  readonly #retries: OwnRetries;
  #held: string | undefined;
  readonly #heldSteps: Extract<RunEvent, { kind: "step" }>[] = [];
  #denied: readonly string[] = [];
  #retriedEndlessly = false;

  constructor(environment: Environment, ledger: RunLedger, view: RunView, plan: AttemptPlan) {
    this.#environment = environment;
    this.#ledger = ledger;
    this.#view = view;
    this.#plan = plan;
    this.#steps = new StepReader(ledger.steps, ledger.hasMarkedSteps);
    this.#started = environment.now();
    this.#retries = new OwnRetries(hasRetryWatchdog(plan.variables));
    const { claude, cwd, flags, sessionId } = ledger.record.plan;
    const { resume, budgetUsd, permissionMode } = plan;
    const words = launchArguments({ flags: withPermissionMode(flags, permissionMode), sessionId, resume, budgetUsd });
    const hooked = argumentsWithHooks(environment, plan.file, splitArguments(words));
    using unstarted = new DisposableStack();
    unstarted.use(hooked);
    this.child = new StreamChild({
      command: [claude, ...hooked.words],
      variables: plan.variables,
      directory: cwd,
      input: plan.prompt,
      onLine: (line) => {
        // A line that we cannot read must not stop us from reading the rest.
        const take = (): void => {
          for (const event of readStreamLine(line)) this.#take(event);
        };
        bestEffort(environment, take, undefined);
      },
    });
    unstarted.move();
    this.ended = this.#judge().finally(() => hooked[Symbol.dispose]());
  }

  #take(event: StreamEvent): void {
    const steps = this.#steps.read(event).map((text) => {
      this.#ledger.step(text, this.#steps.isMarked);
      return { kind: "step", number: this.#ledger.steps.length, text } as const;
    });
    this.#reader.take(event);
    const { sessionId } = this.#ledger.record.plan;
    for (const call of this.#calls.read(event)) {
      recordStep(this.#environment, sessionId, call).catch((error: unknown) => {
        logProblem(this.#environment, messageOf(error));
      });
    }
    const retry = this.#retries.take(event, this.#environment.now());
    if (retry?.kind === "endless") this.#endEndlessRetry();
    else if (retry) this.#plan.onRetry(retry, this.#retries.isAtPlanLimit);
    if (retry?.kind !== "retrying") this.#notice(event);
    this.#heldSteps.push(...steps);
  }

  /** The next claude does not retry by itself, so it ends with the error that says what helps. */
  #endEndlessRetry(): void {
    if (this.#retriedEndlessly) return;
    this.#retriedEndlessly = true;
    void this.child.end(claudeExitTimeoutMs);
  }

  #notice(event: StreamEvent): void {
    switch (event.kind) {
      case "init":
        this.#rememberVersion(event.version);
        break;
      case "text":
        if (!event.bySubagent) this.#hold(event.text);
        break;
      case "tool":
        this.#showCall(event);
        break;
      case "usage":
        this.#plan.onUsage(event.usage);
        break;
      case "retry":
        this.#view.show({ kind: "retry", status: event.status, delay: event.delay });
        break;
      case "result":
        this.#noteResult(event);
        break;
      case "denied":
        this.#denied = event.tools;
        break;
      default:
        break;
    }
  }

  /** A result is not the end: claude may wait for its background tasks and continue. */
  #noteResult({ terminalReason, stopReason }: Extract<StreamEvent, { kind: "result" }>): void {
    const { pending } = this.#reader.evidence;
    this.#ledger.note("result", { terminalReason, stopReason, pendingTasks: pending.length });
  }

  /** The last text is the answer, which is shown elsewhere, so each text is shown only after the next one arrives. */
  #hold(text: string): void {
    this.#showHeld();
    this.#held = withoutMarkers(text);
    const sentence = lastSentence(text);
    if (sentence !== undefined) this.#ledger.lastWords(sentence);
  }

  #showHeld(): void {
    if (this.#held !== undefined && this.#held !== "") this.#view.show({ kind: "text", text: this.#held });
    this.#held = undefined;
    for (const step of this.#heldSteps.splice(0)) this.#view.show(step);
  }

  #showCall({ name, input, bySubagent }: Extract<StreamEvent, { kind: "tool" }>): void {
    const file = writtenFile(name, input);
    if (file !== undefined) this.#ledger.fileWritten(file);
    if (bySubagent) return;
    this.#showHeld();
    this.#view.show({ kind: "tool", name, about: toolSubject(input) });
  }

  #rememberVersion(version: string | undefined): void {
    const { file } = this.#plan;
    if (!file || version === undefined) return;
    bestEffort(this.#environment, () => rememberVersion(this.#environment.paths, file, version), undefined);
  }

  #readTranscript(): TranscriptEnd | undefined {
    const path = findTranscript(this.#environment, this.#ledger.record.plan.sessionId);
    const isFinished = this.#reader.evidence.result?.isError === false;
    return path === undefined ? undefined : readTranscriptEnd(this.#environment, path, this.#started, isFinished);
  }

  async #judge(): Promise<AttemptResult> {
    const { exitCode, signal: died, stderr } = await this.child.ended;
    const signal = died ?? signalOf(exitCode);
    const transcript = bestEffort(this.#environment, () => this.#readTranscript(), undefined);
    const evidence: AttemptEvidence = {
      exitCode,
      signal,
      ...this.#reader.evidence,
      usageResetsAt: fullestReset(this.#reader.usage, this.#environment.now()),
      ending: transcript?.ending,
    };
    const own = readAttemptEnd(evidence, currentClock(this.#environment));
    const end: AttemptEnd = this.#retriedEndlessly && own.kind === "crash" ? { kind: "server" } : own;
    if (end.kind === "finished") this.#held = undefined;
    this.#showHeld();
    if (this.#denied.length > 0) this.#view.show({ kind: "denied", tools: this.#denied });
    return {
      end,
      message: explainAttemptEnd(end, evidence),
      lostTasks: evidence.pending,
      progress: transcript?.ending.answered ?? false,
      retriedEndlessly: this.#retriedEndlessly,
      diedInWait: this.#retries.waitsFor === "limit",
      answer: end.kind === "finished" ? withoutMarkers(evidence.result?.text ?? "") : undefined,
      costUsd: this.#reader.costUsd,
      exitCode,
      signal,
      stderr,
      transcript,
    };
  }
}

import type { ErrorFacts } from "../claude/api-error.ts";
import { type AttemptEvidence, readAttemptEnd } from "../claude/attempt-end.ts";
import { splitArguments } from "../claude/flags.ts";
import { launchArguments } from "../claude/run-arguments.ts";
import { lastSentence, StepReader, withoutMarkers } from "../claude/step-reader.ts";
import { readStreamLine, type StreamEvent, type StreamResult } from "../claude/stream.ts";
import { toolSubject, writtenFile } from "../claude/tool-subject.ts";
import type { AttemptEnd } from "../core/signal.ts";
import type { Usage } from "../core/usage.ts";
import { StreamChild } from "../io/stream-child.ts";
import { signalOf } from "../io/signal-of.ts";
import { type ClaudeFile, rememberVersion } from "../store/claude-versions.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";
import { currentClock, readTranscriptEnd, type TranscriptEnd } from "./gather-evidence.ts";
import { argumentsWithHooks } from "./inject-hooks.ts";
import { orElse } from "./or-else.ts";
import type { RunLedger } from "./run-ledger.ts";
import type { RunEvent, RunView } from "./run-view.ts";

export interface AttemptPlan {
  readonly file: ClaudeFile | undefined;
  readonly variables: Record<string, string | undefined>;
  readonly resume: boolean;
  readonly prompt: string;
  readonly budgetUsd: number | null;
  readonly onUsage: (usage: Usage) => void;
}

export interface AttemptResult {
  readonly end: AttemptEnd;
  readonly progress: boolean;
  readonly answer: string | undefined;
  readonly costUsd: number;
  readonly exitCode: number;
  readonly signal: string | undefined;
  readonly stderr: string;
  readonly transcript: TranscriptEnd | undefined;
}

/** One start of `claude -p`: what its stream says is shown and recorded as it comes, and at its end it is judged. */
export class RunAttempt {
  readonly child: StreamChild;
  readonly ended: Promise<AttemptResult>;
  readonly #environment: Environment;
  readonly #ledger: RunLedger;
  readonly #view: RunView;
  readonly #plan: AttemptPlan;
  readonly #steps: StepReader;
  readonly #started: number;
  #began = false;
  #held: string | undefined;
  readonly #heldSteps: Extract<RunEvent, { kind: "step" }>[] = [];
  #result: StreamResult | undefined;
  #failure: ErrorFacts | undefined;
  #limitResetsAt: number | undefined;
  #denied: readonly string[] = [];

  constructor(environment: Environment, ledger: RunLedger, view: RunView, plan: AttemptPlan) {
    this.#environment = environment;
    this.#ledger = ledger;
    this.#view = view;
    this.#plan = plan;
    this.#steps = new StepReader(ledger.steps, ledger.hasMarkedSteps);
    this.#started = environment.now();
    const { claude, cwd, flags, sessionId } = ledger.record.plan;
    const { resume, budgetUsd } = plan;
    const words = launchArguments({ flags, sessionId, resume, budgetUsd });
    this.child = new StreamChild({
      command: [claude, ...argumentsWithHooks(environment, plan.file, splitArguments(words))],
      variables: plan.variables,
      directory: cwd,
      input: plan.prompt,
      onLine: (line) => {
        // One line that we cannot make sense of is no reason to lose sight of the rest.
        const take = (): void => {
          for (const event of readStreamLine(line)) this.#take(event);
        };
        orElse(environment, take, undefined);
      },
    });
    this.ended = this.#judge();
  }

  #take(event: StreamEvent): void {
    const steps = this.#steps.read(event).map((text) => {
      this.#ledger.step(text, this.#steps.isMarked);
      return { kind: "step", number: this.#ledger.steps.length, text } as const;
    });
    this.#notice(event);
    this.#heldSteps.push(...steps);
  }

  #notice(event: StreamEvent): void {
    switch (event.kind) {
      case "init":
        this.#began = true;
        this.#rememberVersion(event.version);
        break;
      case "text":
        if (!event.aside) this.#hold(event.text);
        break;
      case "tool":
        this.#showCall(event);
        break;
      case "usage":
        this.#plan.onUsage(event.usage);
        break;
      case "limit":
        this.#limitResetsAt = event.resetsAt;
        break;
      case "retry":
        this.#view.show({ kind: "retry", status: event.status, delay: event.delay });
        break;
      case "failure":
        this.#failure = event.facts;
        break;
      case "result":
        this.#result = event;
        break;
      case "denied":
        this.#denied = event.tools;
        break;
      case "tool-result":
        break;
    }
  }

  /** The last words are the answer, which is shown elsewhere: so each is shown only when more has come. */
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

  #showCall({ name, input, aside }: Extract<StreamEvent, { kind: "tool" }>): void {
    const file = writtenFile(name, input);
    if (file !== undefined) this.#ledger.fileWritten(file);
    if (aside) return;
    this.#showHeld();
    this.#view.show({ kind: "tool", name, about: toolSubject(input) });
  }

  #rememberVersion(version: string | undefined): void {
    const { file } = this.#plan;
    if (!file || version === undefined) return;
    orElse(this.#environment, () => rememberVersion(this.#environment.paths, file, version), undefined);
  }

  #readTranscript(): TranscriptEnd | undefined {
    const path = findTranscript(this.#environment, this.#ledger.record.plan.sessionId);
    return path === undefined ? undefined : readTranscriptEnd(this.#environment, path, this.#started);
  }

  async #judge(): Promise<AttemptResult> {
    const { exitCode, signal: died, stderr } = await this.child.ended;
    const signal = died ?? signalOf(exitCode);
    const transcript = orElse(this.#environment, () => this.#readTranscript(), undefined);
    const evidence: AttemptEvidence = {
      exitCode,
      signal,
      began: this.#began,
      result: this.#result,
      failure: this.#failure,
      limitResetsAt: this.#limitResetsAt,
      ending: transcript?.ending,
    };
    const end = readAttemptEnd(evidence, currentClock(this.#environment));
    if (end.kind === "finished") this.#held = undefined;
    this.#showHeld();
    if (this.#denied.length > 0) this.#view.show({ kind: "denied", tools: this.#denied });
    return {
      end,
      progress: transcript?.ending.answered ?? false,
      answer: end.kind === "finished" ? withoutMarkers(this.#result?.text ?? "") : undefined,
      costUsd: this.#result?.costUsd ?? 0,
      exitCode,
      signal,
      stderr,
      transcript,
    };
  }
}

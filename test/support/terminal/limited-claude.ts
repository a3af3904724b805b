import { afterEach, beforeEach, jest } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { HostedContinuation } from "../../../src/app/hosted-claude/continue-hosted.ts";
import { recentProblems } from "../../../src/app/program-log.ts";
import { continuationText } from "../../../src/core/host/continuation.ts";
import { readSettings } from "../../../src/core/settings.ts";

/** The time at which each test begins. */
export const start = Date.parse("2026-11-16T12:00:00Z");
export const second = 1_000;
const sessionId = "3b7a5f0e-6f0a-4c39-9f4d-6f3f8a1c2d10";
const edge = "────────";

let home: string;

/** Gives each test of a file its own home, and a clock that only `pass` moves. */
export function withMovedClock(): void {
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "continue-hosted-"));
    jest.useFakeTimers();
    jest.setSystemTime(start);
  });
  afterEach(() => {
    jest.useRealTimers();
    rmSync(home, { recursive: true, force: true });
  });
}

/** Claude with a prompt, a transcript and a host. It reacts to what the host writes as the real one does. */
export class ScriptedClaude implements Disposable {
  prompt = "";
  /** Shown in place of the prompt. */
  screen: readonly string[] | undefined;
  above: readonly string[] = [];
  readonly written: string[] = [];
  /** How often the host has looked at the screen. */
  looks = 0;
  readonly statuses: (string | number)[] = [];
  /** Returns true to swallow what the host writes. */
  loses: (text: string) => boolean = () => false;
  /** Called when a prompt arrives; it is in the transcript already. */
  answers: () => void = () => this.#record({ type: "assistant", message: { content: "Went on." } });
  readonly #environment = { ...currentEnvironment({ HOME: home }), now: () => Date.now() };
  readonly #host: HostedContinuation;
  #messages = 0;

  constructor(variables: object = {}) {
    this.#host = new HostedContinuation({
      environment: this.#environment,
      settings: readSettings(undefined, { AI_RUNTIME_CONTINUE_AFTER_SECONDS: "0", ...variables }).settings,
      events: undefined,
      sessionId,
      model: { text: () => ({ rows: this.#rows(), cursor: { x: 2, y: 0 } }) },
      run: {
        waiting: (until) => this.#status((until - start) / second),
        retrying: () => this.#status("retrying"),
        held: (cause) => this.#status(cause),
        working: () => this.#status("working"),
      },
      write: (text) => this.#receive(text),
      onSession: () => {},
    });
  }

  get problems(): string[] {
    return recentProblems(this.#environment);
  }

  /** The limit's error, as a client without a continuation of its own writes it. */
  hitsLimit(resetsAt: number | null = start): void {
    this.#record({
      type: "assistant",
      version: "2.1.36",
      isApiErrorMessage: true,
      error: "rate_limit",
      ...(resetsAt === null ? {} : { quotaLimits: { resetsAt: resetsAt / 1_000 } }),
      message: { model: "<synthetic>", content: [{ type: "text", text: "You've hit your limit" }] },
    });
  }

  notes(content: string): void {
    this.#record({ type: "system", subtype: "informational", content });
  }

  userPrompts(text: string): void {
    this.prompt = text;
    this.#send();
  }

  paints(): void {
    this.#host.onOutput();
  }

  presses(keys: string): void {
    this.#host.onInput(Buffer.from(keys));
  }

  /** What the host wrote, with the text abbreviated. */
  get keys(): string[] {
    return this.written.map((text) => (text === pasted ? "text" : text));
  }

  [Symbol.dispose](): void {
    this.#host.end();
  }

  #status(status: string | number): void {
    if (this.statuses.at(-1) !== status) this.statuses.push(status);
  }

  #rows(): string[] {
    this.looks += 1;
    return [...this.above, ...(this.screen ?? [edge, `❯ ${this.prompt}`, edge])];
  }

  #receive(text: string): void {
    this.written.push(text);
    if (this.loses(text)) return;
    if (text === "\r") this.#send();
    else if (text === "\x15") this.prompt = "";
    else if (text === "\x1b") this.screen = undefined;
    else this.prompt += text.replace("\x1b[200~", "").replace("\x1b[201~", "");
    this.paints();
  }

  #send(): void {
    this.#record({ type: "user", message: { content: this.prompt } });
    this.prompt = "";
    this.answers();
    this.paints();
  }

  #record(line: object): void {
    const project = join(home, ".claude/projects/p");
    mkdirSync(project, { recursive: true });
    const common = { uuid: `message-${this.#messages++}`, timestamp: new Date().toISOString() };
    appendFileSync(join(project, `${sessionId}.jsonl`), `${JSON.stringify({ ...common, ...line })}\n`);
  }
}

/** The continuation as the host pastes it. */
export const pasted = `\x1b[200~${continuationText}\x1b[201~`;
export const pass = (seconds: number): void => void jest.advanceTimersByTime(seconds * second);

/** A claude at a limit that has just reset. */
export function claudeAtLimit(variables?: object): ScriptedClaude {
  const claude = new ScriptedClaude(variables);
  claude.hitsLimit();
  claude.paints();
  return claude;
}

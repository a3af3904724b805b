import { readPromptScreen } from "../claude/prompt-screen.ts";
import { canClaude, parseClaudeVersion } from "../claude/versions.ts";
import { type ContinuationSettings, continuationText, decideContinuation } from "../core/continuation.ts";
import { isHalfTyped } from "../core/half-typed.ts";
import { fileSize } from "../io/read-file.ts";
import type { ScreenModel } from "../io/screen-model.ts";
import type { HostedSession } from "../store/host-records.ts";
import { readRunEvents } from "../store/run-events.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";
import { readTranscriptEnd } from "./gather-evidence.ts";
import type { HostRun } from "./host-run.ts";

export interface HostedClaude {
  readonly environment: Environment;
  readonly settings: ContinuationSettings;
  /** Where its hooks tell what they see. */
  readonly events: string | undefined;
  readonly sessionId: string | null;
  readonly model: ScreenModel;
  readonly run: HostRun;
  write(text: string): void;
  onSession(session: HostedSession): void;
}

/** So long without a word from it: then its transcript is looked at, once. */
const stillness = 1_500;
/** A timer does not see that the machine slept, or that its clock was set. */
const longestPause = 60_000;
/** As a person would: the text, and after a moment Enter. Together they would be taken for a paste. */
const beforeEnter = 300;
/** What Escape leaves behind is painted within this time. */
const afterEscape = 1_000;
/** Where the client does not say when the limit ends. */
const unknownLimit = 3_600_000;

interface Limit {
  /** Of the transcript: any line after the limit means that it is over. */
  readonly size: number;
  readonly resetsAt: number;
  readonly continuesItself: boolean | undefined;
  isDone: boolean;
}

/** Watches a hosted Claude for a limit, and goes on for the user once it has reset and nobody else does. */
export class Continuation {
  readonly #claude: HostedClaude;
  readonly #started: number;
  #session: HostedSession | null = null;
  #limit: Limit | undefined;
  #halfTyped = false;
  #lastChange = 0;
  #lastSize: number | undefined;
  #stillTimer: Timer | undefined;
  #dueTimer: Timer | undefined;
  #isTyping = false;

  constructor(claude: HostedClaude) {
    this.#claude = claude;
    this.#started = claude.environment.now();
  }

  /** It has written something. While it is at work this costs a look at the clock. */
  onOutput(): void {
    this.#lastChange = performance.now();
    this.#stillTimer ??= setTimeout(() => this.#onStill(), stillness);
  }

  onInput(bytes: Uint8Array): void {
    this.#halfTyped = isHalfTyped(this.#halfTyped, bytes);
    this.onOutput();
  }

  end(): void {
    clearTimeout(this.#stillTimer);
    clearTimeout(this.#dueTimer);
    this.#limit = undefined;
  }

  #onStill(): void {
    this.#stillTimer = undefined;
    const still = performance.now() - this.#lastChange;
    if (still < stillness) {
      this.#stillTimer = setTimeout(() => this.#onStill(), stillness - still);
      return;
    }
    try {
      this.#look();
    } catch {
      // A transcript that cannot be read now is looked at after the next word.
    }
  }

  #look(): void {
    this.#findSession();
    const path = this.#session?.transcriptPath;
    const size = path ? fileSize(path) : undefined;
    if (!path || size === undefined) return;
    if (size !== this.#lastSize) {
      this.#lastSize = size;
      this.#limit = this.#readLimit(path, size);
      if (this.#limit) this.#claude.run.waiting(this.#limit.resetsAt);
      else this.#claude.run.working();
    }
    if (this.#limit) void this.#consider(this.#limit);
  }

  #readLimit(path: string, size: number): Limit | undefined {
    const { environment } = this.#claude;
    const ending = readTranscriptEnd(environment, path, this.#started)?.ending;
    if (ending?.finalError?.kind !== "limit") return undefined;
    const resetsAt = ending.finalError.resetsAt ?? environment.now() + unknownLimit;
    const version = parseClaudeVersion(ending.version ?? "");
    const continuesItself = version && canClaude(version, "continuesAfterLimit");
    return { size, resetsAt, continuesItself, isDone: false };
  }

  async #consider(limit: Limit): Promise<void> {
    clearTimeout(this.#dueTimer);
    if (this.#isTyping || limit !== this.#limit) return;
    const path = this.#session?.transcriptPath;
    // It goes on already; what it writes is looked at when it is still again.
    if (!path || fileSize(path) !== limit.size) return;
    const now = this.#claude.environment.now();
    const at = new Date(now);
    const decision = decideContinuation(this.#claude.settings, {
      now,
      minuteOfDay: at.getHours() * 60 + at.getMinutes(),
      resetsAt: limit.resetsAt,
      continuesItself: limit.continuesItself,
      screen: this.#screen(),
      halfTyped: this.#halfTyped,
      stillFor: performance.now() - this.#lastChange,
      isDone: limit.isDone,
    });
    if (decision.kind === "wait") {
      const pause = Math.min(longestPause, Math.max(0, decision.until - now));
      this.#dueTimer = setTimeout(() => void this.#consider(limit), pause);
    } else if (decision.kind === "type") await this.#type(limit, decision.escapeFirst);
  }

  async #type(limit: Limit, escapeFirst: boolean): Promise<void> {
    const { write } = this.#claude;
    this.#isTyping = true;
    // Before it is done: whatever comes of it, it is tried once.
    limit.isDone = true;
    if (escapeFirst) {
      write("\x1b");
      await Bun.sleep(afterEscape);
    }
    // The line that spoke of its own wait may still be there.
    const isFree = ["empty", "waiting"].includes(this.#screen()) && !this.#halfTyped;
    if (this.#limit === limit && isFree) {
      write(continuationText);
      await Bun.sleep(beforeEnter);
      write("\r");
    }
    this.#isTyping = false;
  }

  #screen(): ReturnType<typeof readPromptScreen> {
    return readPromptScreen(this.#claude.model.text({ firm: true }).rows);
  }

  /** As its hooks tell, else as it was chosen. */
  #findSession(): void {
    const { environment, events, sessionId, onSession } = this.#claude;
    const told = (events === undefined ? [] : readRunEvents(events)).findLast(
      ({ transcriptPath }) => transcriptPath !== null,
    );
    const id = told?.sessionId ?? sessionId;
    if (id === null || id === undefined) return;
    if (this.#session?.id === id && this.#session.transcriptPath !== null) return;
    const transcriptPath = told?.transcriptPath ?? findTranscript(environment, id) ?? null;
    if (this.#session?.id === id && transcriptPath === null) return;
    this.#session = { id, transcriptPath };
    onSession(this.#session);
  }
}

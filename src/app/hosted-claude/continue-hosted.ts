import { mayContinueForMs } from "../../claude/limits/own-continuation.ts";
import { pasteText, promptKeys } from "../../claude/screen/prompt-keys.ts";
import { readShownRetry, type ShownRetry } from "../../claude/screen/own-retry.ts";
import { readPromptScreen, type ScreenRows, showsOwnWait } from "../../claude/screen/prompt-screen.ts";
import { emptyLine, hasKeys, pressesEscape, readKeys } from "../../claude/screen/typed-keys.ts";
import {
  type Continuation,
  continuationText,
  decideContinuation,
  type Key,
  nothingTyped,
  type PromptState,
  recordKey,
  type Typing,
} from "../../core/host/continuation.ts";
import { decideLimitWait } from "../../core/restart/limit-wait.ts";
import type { Settings } from "../../core/settings.ts";
import { fileSize } from "../../io/files/read-file.ts";
import type { ScreenModel } from "../../io/terminal/screen-model.ts";
import type { HostedSession } from "../../store/hosts/host-records.ts";
import { readSessionEvents } from "../../store/cclaude/session-events.ts";
import type { Environment } from "../environment.ts";
import { logProblem } from "../program-log.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { currentClock, readTranscriptEnding, readTranscriptWait } from "../session/transcript-end.ts";
import type { HostRun } from "./host-run.ts";

export interface HostedClaude {
  readonly environment: Environment;
  readonly settings: Settings;
  /** The directory where its hooks write events. */
  readonly events: string | undefined;
  readonly sessionId: string | null;
  readonly model: Pick<ScreenModel, "text">;
  readonly run: Pick<HostRun, "waiting" | "retrying" | "held" | "working">;
  write(text: string): void;
  onSession(session: HostedSession): void;
}

/** While the screen changes, the transcript is not read. */
const quietScreenMs = 1_500;
/** Claude writes its transcript in batches, some of them long after the screen: it is looked at again in growing pauses. */
const maxPauseMs = 30_000;
/** Two ends of a countdown this close belong to the same wait. */
const sameWaitMs = 5_000;

/** The limit at which the conversation ends. */
interface Limit {
  /** The last message: another one means that the conversation continued. */
  readonly message: string | undefined;
  readonly resetsAt: number;
  readonly mayContinueForMs: number;
  readonly isCanceled: boolean;
}

/** Watches a hosted Claude for a limit, and types the continuation after the reset unless Claude or the user continues. */
export class HostedContinuation {
  readonly #claude: HostedClaude;
  /** Errors from before the host's start are not its limit. */
  readonly #start: number;
  #session: HostedSession | null = null;
  #lastSize: number | undefined;
  #limit: Limit | undefined;
  /** The wait of a claude that then repeats its request by itself. */
  #retry: ShownRetry | undefined;
  /** What was typed for this limit, and when (`performance.now`). */
  #typing: Typing = nothingTyped;
  #typedAt = 0;
  /** Continuations sent in a row without an answer, and the time of the last one. */
  #repeats = 0;
  #sentAt = 0;
  #line = emptyLine;
  /** The user has pressed Escape at this limit while Claude said that it waits. */
  #isEscaped = false;
  /** The host has given up at this limit. */
  #hasFailed = false;
  #lastChange = 0;
  #pauseMs = quietScreenMs;
  #timer: Timer | undefined;
  #dueAt = Infinity;

  constructor(claude: HostedClaude) {
    this.#claude = claude;
    this.#start = claude.environment.now();
  }

  /** Called for every output, so it only reads the clock. */
  onOutput(): void {
    this.#lastChange = performance.now();
    this.#pauseMs = quietScreenMs;
    this.#lookIn(quietScreenMs);
  }

  onInput(bytes: Uint8Array): void {
    this.#line = readKeys(this.#line, bytes);
    if (hasKeys(bytes)) this.#typing = { ...this.#typing, isDisturbed: true };
    if (this.#limit && pressesEscape(bytes) && showsOwnWait(this.#rows()) && this.#prompt() !== "menu") {
      this.#isEscaped = true;
    }
    this.onOutput();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#dueAt = -Infinity;
  }

  /** Looks after this time, unless it looks earlier anyway. */
  #lookIn(pauseMs: number): void {
    const at = performance.now() + pauseMs;
    if (at >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = at;
    this.#timer = setTimeout(() => this.#look(), pauseMs);
  }

  #look(): void {
    this.#dueAt = Infinity;
    // While it waits, claude changes its screen every second, and nothing is to be typed.
    if (this.#noticeRetry()) return this.#lookIn(quietScreenMs);
    const quietMs = performance.now() - this.#lastChange;
    if (!this.#limit && quietMs < quietScreenMs) return this.#lookIn(quietScreenMs - quietMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, maxPauseMs);
    let pauseMs: number | undefined;
    try {
      pauseMs = this.#check();
    } catch {
      // An unreadable transcript is read again.
    }
    this.#lookIn(Math.min(pauseMs ?? this.#pauseMs, maxPauseMs));
  }

  /** Returns whether claude waits inside its process and then continues by itself. */
  #noticeRetry(): boolean {
    const { environment, run } = this.#claude;
    const shown = readShownRetry(this.#rows(), currentClock(environment));
    const known = this.#retry;
    if (!shown && !known) return false;
    // The countdown has whole seconds: the same wait keeps its end.
    const isSame = known && shown?.why === known.why && Math.abs(shown.until - known.until) < sameWaitMs;
    this.#retry = isSame ? known : shown;
    try {
      if (!this.#retry) run.working();
      else if (this.#retry.why === "limit") run.waiting(this.#retry.until);
      else run.retrying(this.#retry.until);
    } catch {
      // A full disk: written again at the next look.
    }
    return this.#retry !== undefined;
  }

  /** Returns when to check again; undefined: after the usual pause. */
  #check(): number | undefined {
    this.#findSession();
    const path = this.#session?.transcriptPath;
    const size = path ? fileSize(path) : undefined;
    if (!path || size === undefined) return undefined;
    if (size !== this.#lastSize) {
      this.#setLimit(this.#readLimit(path));
      this.#lastSize = size;
    }
    return this.#limit && this.#continue(this.#limit);
  }

  #setLimit(limit: Limit | undefined): void {
    if (limit?.message !== this.#limit?.message) {
      this.#typing = nothingTyped;
      this.#isEscaped = false;
    }
    this.#limit = limit;
    if (!limit) this.#claude.run.working();
  }

  #readLimit(path: string): Limit | undefined {
    const { environment, settings } = this.#claude;
    const ending = readTranscriptEnding(environment, path, { since: this.#start });
    if (this.#repeats > 0 && readTranscriptEnding(environment, path, { since: this.#sentAt })?.answered)
      this.#repeats = 0;
    if (ending?.finalError?.kind !== "limit") return undefined;
    const { resetsAt: stated = null, of } = ending.finalError;
    // Only the user can end such a limit.
    if (stated === null && of !== undefined) return undefined;
    const wait = readTranscriptWait(path);
    // The same limit keeps its end: without a known reset, that would move with the clock.
    const known = this.#limit?.message === wait?.lastMessage ? this.#limit : undefined;
    const { endsAt } = decideLimitWait({
      now: environment.now(),
      resetsAt: stated,
      of,
      knownLimit: null,
      unknownLimit: 1_000 * settings.waitSeconds,
      repeats: this.#repeats,
    });
    return {
      message: wait?.lastMessage,
      resetsAt: known?.resetsAt ?? endsAt,
      mayContinueForMs: mayContinueForMs(ending.version),
      isCanceled: wait?.isCanceled ?? false,
    };
  }

  /** Returns when to decide again. */
  #continue(limit: Limit): number {
    const now = this.#claude.environment.now();
    const at = new Date(now);
    const decision = decideContinuation(this.#claude.settings, {
      now,
      minuteOfDay: at.getHours() * 60 + at.getMinutes(),
      resetsAt: limit.resetsAt,
      mayContinueForMs: limit.mayContinueForMs,
      isCanceled: limit.isCanceled || (this.#isEscaped && !showsOwnWait(this.#rows())),
      screen: this.#prompt(),
      halfTyped: this.#line.isHalfTyped,
      idleMs: performance.now() - this.#lastChange,
      typing: { ...this.#typing, sinceMs: performance.now() - this.#typedAt },
    });
    this.#report(limit, decision);
    if (decision.kind === "leave") return maxPauseMs;
    if (decision.kind === "wait" || decision.kind === "hold") {
      return decision.until === null ? maxPauseMs : Math.max(0, decision.until - now);
    }
    this.#press(decision.kind);
    return 0;
  }

  /** A full disk must not keep the host from typing. */
  #report(limit: Limit, decision: Continuation): void {
    const { run, environment } = this.#claude;
    const isFailure = decision.kind === "hold" && decision.cause === "gave-up";
    if (isFailure && !this.#hasFailed) {
      logProblem(
        environment,
        `session ${this.#session?.id}: the prompt that the host typed after a limit did not arrive`,
      );
    }
    this.#hasFailed = isFailure;
    try {
      if (decision.kind === "hold") run.held(decision.cause);
      else run.waiting(limit.resetsAt);
    } catch {
      // Written again with the next decision.
    }
  }

  #press(key: Key): void {
    const { write, environment } = this.#claude;
    this.#typing = recordKey(this.#typing, key);
    this.#typedAt = performance.now();
    if (key === "send") this.#sentAt = environment.now();
    // Once for each limit, however often the keys are repeated.
    if (key === "send" && this.#typing.texts === 1 && this.#typing.sends === 1) this.#repeats += 1;
    write(key === "text" ? pasteText(continuationText) : promptKeys[key]);
  }

  #rows(): ScreenRows {
    const { model } = this.#claude;
    return { all: model.text().rows, firm: model.text({ firm: true }).rows };
  }

  #prompt(): PromptState {
    return readPromptScreen(this.#rows(), continuationText);
  }

  /** The session that the hooks reported last, else the one in the plan. */
  #findSession(): void {
    const { environment, events, sessionId, onSession } = this.#claude;
    const reported = (events === undefined ? [] : readSessionEvents(events)).findLast(
      ({ transcriptPath }) => transcriptPath !== null,
    );
    const id = reported?.sessionId ?? sessionId;
    if (id === null || id === undefined) return;
    if (this.#session?.id === id && this.#session.transcriptPath !== null) return;
    const transcriptPath = reported?.transcriptPath ?? findTranscript(environment, id) ?? null;
    if (this.#session?.id === id && transcriptPath === null) return;
    this.#session = { id, transcriptPath };
    this.#lastSize = undefined;
    onSession(this.#session);
  }
}

import { liveSessionsDirectory } from "../../claude/paths.ts";
import type { ReportedMode } from "../../claude/permission-mode.ts";
import { readActivity } from "../../claude/screen/activity-screen.ts";
import type { ScreenRows } from "../../claude/screen/prompt-screen.ts";
import type { LiveSession } from "../../claude/live-sessions.ts";
import type { TranscriptEnding } from "../../claude/transcript/transcript-ending.ts";
import { decideHostedState, type HostedSignals, type HostedState, isSameState } from "../../core/host/hosted-state.ts";
import { fileSize } from "../../io/files/read-file.ts";
import { identifyProcess, type ProcessIdentity } from "../../io/process/process.ts";
import type { ScreenModel } from "../../io/terminal/screen-model.ts";
import { readSessionEvents } from "../../store/cclaude/session-events.ts";
import { readTurnEvents } from "../../store/cclaude/turn-events.ts";
import type { HostedSession, HostedStatus } from "../../store/hosts/host-records.ts";
import type { Environment } from "../environment.ts";
import { lastReportedMode } from "../resume/gather-evidence.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { isAlive, listLiveSessions } from "../session/live-session.ts";
import { readSessionTitle } from "../session/session-title.ts";
import { currentClock, readTranscriptEnding } from "../session/transcript-end.ts";

export interface WatchedClaude {
  readonly environment: Environment;
  /** The directory where its hooks write events. */
  readonly events: string | undefined;
  readonly model: Pick<ScreenModel, "text">;
  /** The session that the host knows of: reported by hooks, else chosen by us. */
  session(): HostedSession | null;
  /** Called after each look. */
  onLook(status: SeenStatus): void;
}

export type SeenStatus = Pick<HostedStatus, "state" | "since" | "title" | "reportedMode">;

/** After the first output, Claude has soon written its files too. */
const firstLookMs = 250;
/** While the screen changes, and shortly after: Claude writes some files after the screen. */
const busyLookMs = 1_000;
const settledMs = 4_000;
/** Without output, nothing is expected to change. */
const quietLookMs = 30_000;

/** Watches what a hosted Claude is doing. Every change of its state changes its screen, so output triggers the looks. */
export class StateWatch {
  readonly #claude: WatchedClaude;
  /** Errors and unfinished turns from before the host's start do not count. */
  readonly #start: number;
  #state: HostedState = { kind: "working" };
  #since: number;
  #title: string | null = null;
  #wait: HostedSignals["wait"];
  #livePid: number | undefined;
  #transcript: { readonly id: string; readonly path: string } | undefined;
  #lastSize: number | undefined;
  #ending: TranscriptEnding | undefined;
  #lastOutput = -Infinity;
  #timer: Timer | undefined;
  #dueAt = Infinity;
  #hasEnded = false;
  #turnEndedAt: number | undefined;

  constructor(claude: WatchedClaude) {
    this.#claude = claude;
    this.#start = claude.environment.now();
    this.#since = this.#start;
  }

  /** Milliseconds since the last output. */
  get quietMs(): number {
    return performance.now() - this.#lastOutput;
  }

  /** When a hook last reported the end of a turn, as of the last look. */
  get turnEndedAt(): number | undefined {
    return this.#turnEndedAt;
  }

  /** The process of claude itself, where it has written its own file about it. */
  get claude(): ProcessIdentity | undefined {
    const live = this.#readLive();
    return live && identifyProcess(live.pid);
  }

  /** Called for every output, so it only reads the clock. */
  onOutput(): void {
    this.#lastOutput = performance.now();
    if (this.#dueAt > this.#lastOutput + busyLookMs) this.lookIn(firstLookMs);
  }

  /** The host waits for a limit, does not continue after it, or has nothing to wait for. */
  onWait(wait: HostedSignals["wait"]): void {
    this.#wait = wait;
    this.lookIn(0);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#hasEnded = true;
    this.#look();
  }

  /** Looks after this time, unless it looks earlier anyway. */
  lookIn(pauseMs: number): void {
    const at = performance.now() + pauseMs;
    if (at >= this.#dueAt || this.#hasEnded) return;
    clearTimeout(this.#timer);
    this.#dueAt = at;
    this.#timer = setTimeout(() => {
      this.#dueAt = Infinity;
      this.lookIn(this.quietMs < settledMs ? busyLookMs : quietLookMs);
      this.#look();
    }, pauseMs);
  }

  #look(): void {
    const { environment, events, onLook } = this.#claude;
    let state: HostedState;
    let reportedMode: ReportedMode | undefined;
    try {
      state = decideHostedState(this.#signals());
      reportedMode = lastReportedMode(events === undefined ? [] : readSessionEvents(events));
    } catch {
      // An unreadable file is read again at the next look.
      return;
    }
    if (!isSameState(state, this.#state)) {
      this.#since = environment.now();
      this.#state = state;
    }
    const seen = { state: this.#state, since: this.#since, title: this.#title };
    onLook(reportedMode ? { ...seen, reportedMode } : seen);
  }

  #signals(): HostedSignals {
    const { environment, events } = this.#claude;
    const live = this.#readLive();
    this.#readTranscript(live);
    const ending = this.#ending;
    const turns = events === undefined ? [] : readTurnEvents(events);
    this.#turnEndedAt = turns.findLast(({ kind }) => kind === "turn-ended")?.time;
    return {
      hasEnded: this.#hasEnded,
      status: live?.ownStatus,
      wait: this.#wait,
      turnEndedAt: this.#turnEndedAt,
      transcript: ending && {
        midTurn: ending.midTurn,
        finalError: ending.finalError,
        continuedAt: ending.continuedAt,
      },
      screen: readActivity(this.#rows(), currentClock(environment)),
    };
  }

  #rows(): ScreenRows {
    const { model } = this.#claude;
    return { all: model.text().rows, firm: model.text({ firm: true }).rows };
  }

  /** Claude's own file about its process. A claude that Claude itself started has one too, but started later. */
  #readLive(): LiveSession | undefined {
    const { environment, events, session } = this.#claude;
    const all = listLiveSessions(liveSessionsDirectory(environment.claudeConfig));
    const known = all.find(({ pid }) => pid === this.#livePid);
    if (known && isAlive(known)) return known;
    const id = session()?.id;
    const pids = new Set((events === undefined ? [] : readTurnEvents(events)).map(({ claudePid }) => claudePid));
    const found = all
      .filter((one) => (one.sessionId === id || pids.has(one.pid)) && isAlive(one))
      .sort((a, b) => Number(a.startTime ?? 0) - Number(b.startTime ?? 0))[0];
    this.#livePid = found?.pid;
    return found;
  }

  /** Reads the end of the transcript and the title, when the file has changed. */
  #readTranscript(live: LiveSession | undefined): void {
    const { environment } = this.#claude;
    const path = this.#findTranscript(live?.sessionId);
    const size = path === undefined ? undefined : fileSize(path);
    if (path === undefined || size === undefined || size === this.#lastSize) return;
    this.#ending = readTranscriptEnding(environment, path, { since: this.#start });
    this.#title = live?.name ?? readSessionTitle(path) ?? this.#title;
    this.#lastSize = size;
  }

  #findTranscript(liveId: string | undefined): string | undefined {
    const { environment, session } = this.#claude;
    const known = session();
    const id = liveId ?? known?.id;
    if (id === undefined) return undefined;
    if (this.#transcript?.id === id) return this.#transcript.path;
    const reported = known?.id === id ? known.transcriptPath : null;
    const path = reported ?? findTranscript(environment, id);
    if (path === undefined) return undefined;
    this.#transcript = { id, path };
    this.#lastSize = undefined;
    return path;
  }
}

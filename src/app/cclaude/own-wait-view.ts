import { readRecordedRetry } from "../../claude/limits/recorded-retry.ts";
import { withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";
import type { RecoveryEvent } from "../resume/recovery-events.ts";
import type { FoundSession } from "../session/find-session.ts";
import type { Announcer, Countdown } from "./announcer.ts";

export interface WaitDisplay {
  readonly announce: (event: RecoveryEvent, sessionId: string) => void;
  readonly countdown: Announcer["countdown"];
  /** Claude waits until this time, in milliseconds since 1970; undefined: it works again. */
  readonly onWait: (until: number | undefined) => void;
}

const lookIntervalMs = 1_000;

/**
 * Shows that a `claude -p` waits for a limit inside its process. Claude prints nothing about the wait, so it is read from the
 * transcript.
 */
export class OwnWaitView implements Disposable {
  readonly #find: () => FoundSession | undefined;
  readonly #display: WaitDisplay;
  readonly #onEndless: () => void;
  readonly #timer = setInterval(() => this.#look(), lookIntervalMs);
  #session: FoundSession | undefined;
  #size = -1;
  #until: number | undefined;
  #countdown: Countdown | undefined;

  /** `onEndless`: claude retries a 429 without a reset, and would do so forever. */
  constructor(find: () => FoundSession | undefined, display: WaitDisplay, onEndless: () => void) {
    this.#find = find;
    this.#display = display;
    this.#onEndless = onEndless;
  }

  /** Whether claude waits for a limit, by the newest line of its transcript. */
  isWaiting(): boolean {
    this.#look();
    return this.#until !== undefined;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    // The answer may have come since the last look.
    this.#look();
    this.#countdown?.end(false);
  }

  #look(): void {
    try {
      this.#session ??= this.#find();
      if (this.#session) this.#read(this.#session);
    } catch {
      // An unreadable transcript is read again.
    }
    if (this.#until !== undefined) this.#countdown?.tick(Math.max(0, this.#until - Date.now()));
  }

  #read({ id, transcriptPath }: FoundSession): void {
    withFile(transcriptPath, ({ fd, size }) => {
      if (size === this.#size) return;
      this.#size = size;
      const retry = readRecordedRetry(linesBackwards(fd, size));
      if (retry?.why === "endless") this.#onEndless();
      const until = retry?.why === "limit" ? retry.until : undefined;
      if (until !== this.#until) this.#change(until, id);
    });
  }

  #change(until: number | undefined, sessionId: string): void {
    const hadWait = this.#until !== undefined;
    this.#until = until;
    this.#display.onWait(until);
    this.#countdown?.end(until === undefined);
    this.#countdown = undefined;
    if (until !== undefined) {
      this.#display.announce({ kind: "waiting", until, known: true }, sessionId);
      this.#countdown = this.#display.countdown(until);
    } else if (hadWait) this.#display.announce({ kind: "resuming", cause: "limit" }, sessionId);
  }
}

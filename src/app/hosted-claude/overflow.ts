import { exitCommand, pasteText, promptKeys } from "../../claude/screen/prompt-keys.ts";
import { readExitScreen, readPromptScreen, type ScreenRows } from "../../claude/screen/prompt-screen.ts";
import type { HostCommand } from "../../core/host/frames.ts";
import { type Ending, type EndStep, type ExitScreen, nothingEnded, recordEndStep } from "../../core/host/hang-up.ts";
import {
  clearPromptLine,
  type FittingPoint,
  type HostLine,
  keysLine,
  noPointLine,
  notFullLine,
  overflowLine,
  restoringLine,
  stillRunningLine,
} from "../../core/host/host-line.ts";
import type { HostedState } from "../../core/host/hosted-state.ts";
import { decideOverflow, type OverflowSituation } from "../../core/host/overflow.ts";
import { signalProcess } from "../../io/process/end-process.ts";
import type { ProcessIdentity } from "../../io/process/process.ts";
import type { ScreenModel } from "../../io/terminal/screen-model.ts";
import {
  isRestoreRequested,
  restoreRequestLifetimeMs,
  withdrawRestoreRequest,
  writeRestoreRequest,
} from "../../store/cclaude/restore-request.ts";
import { readTurnEvents } from "../../store/cclaude/turn-events.ts";
import type { HostedSession } from "../../store/hosts/host-records.ts";
import { bestEffort } from "../best-effort.ts";
import type { Environment } from "../environment.ts";
import { planFit } from "../resume/plan-fit.ts";

export interface OverflowingClaude {
  readonly environment: Environment;
  /** Where the supervisor in the host looks for requests; undefined when the program has none. */
  readonly events: string | undefined;
  readonly model: Pick<ScreenModel, "text">;
  session(): HostedSession | null;
  /** The process of claude itself, where it is known for sure. */
  claude(): ProcessIdentity | undefined;
  write(text: string): void;
  /** Shows a line in all terminals; undefined removes it. */
  onLine(line: HostLine | undefined): void;
}

/** The client whose user pressed the prefix key. */
export interface CommandSource {
  showNotice(notice: HostLine): void;
}

type Seen = Pick<OverflowSituation, "state" | "quietMs" | "terminals" | "hangup">;

/**
 * Offers to restore a conversation that no longer fits. For a restore, it leaves a request for the cclaude in the host and ends
 * Claude as /exit does; that cclaude restores the conversation and resumes it.
 */
export class HostedOverflow {
  readonly #claude: OverflowingClaude;
  #state: HostedState["kind"] = "working";
  #point: FittingPoint | undefined;
  #wish: OverflowSituation["wish"] = "none";
  #ending: Ending = nothingEnded;
  /** The claude that is full; the one after a restore has another pid. */
  #claudePid: number | undefined;

  constructor(claude: OverflowingClaude) {
    this.#claude = claude;
  }

  /** Returns the answer to the user, or undefined when the line itself is the answer. */
  onCommand(name: HostCommand): HostLine | undefined {
    if (name === "keys") return keysLine;
    const isFull = this.#state === "context-full" && this.#wish !== "over";
    if (name === "dismiss") {
      if (isFull && this.#wish !== "asked") this.#wish = "dismissed";
      return undefined;
    }
    if (!isFull) return notFullLine;
    if (!this.#point) return noPointLine;
    // The user's text would be lost with Claude.
    if (this.#screen() === "typed" && this.#ending.startedAt === null && !this.#showsSentPrompt())
      return clearPromptLine;
    this.#wish = "asked";
    return restoringLine;
  }

  /** Takes the next step. Returns when to decide again, in milliseconds; undefined: the host has nothing to do for this. */
  decide(seen: Seen): number | undefined {
    const { environment } = this.#claude;
    const now = environment.now();
    this.#notice(seen.state, now);
    const decision = decideOverflow({
      ...seen,
      now,
      hasPoint: this.#point !== undefined,
      wish: this.#wish,
      screen: this.#screen(),
      ending: this.#ending,
    });
    this.#show(decision.kind === "offer");
    switch (decision.kind) {
      case "none":
      case "offer":
        return undefined;
      case "wait":
        return Math.max(0, decision.until - now);
      case "fail":
        this.#fail();
        return 0;
      case "restore":
        if (this.#request(now)) this.#do(decision.step, now);
        return 0;
    }
  }

  /** Forgets everything about an overflow that is over: another state, or another claude. */
  #notice(state: HostedState, now: number): void {
    const { events, environment, session } = this.#claude;
    if (events === undefined) return;
    const { startedAt } = this.#ending;
    const isOpen = startedAt !== null && isRestoreRequested(events);
    // While Claude ends, its files may show anything.
    if (isOpen && now - startedAt < restoreRequestLifetimeMs) return;
    if (isOpen) bestEffort(environment, () => withdrawRestoreRequest(events), undefined);
    else if (startedAt !== null) this.#settle("over");
    const isFull = state.kind === "context-full";
    const pid = isFull ? readTurnEvents(events).at(-1)?.claudePid : undefined;
    if (this.#state !== state.kind || (pid !== this.#claudePid && this.#wish === "over")) {
      this.#settle("none");
      const id = session()?.id;
      this.#point = isFull && id !== undefined ? planFit(environment, id, undefined) : undefined;
    }
    this.#state = state.kind;
    this.#claudePid = pid;
  }

  #settle(wish: OverflowSituation["wish"]): void {
    this.#wish = wish;
    this.#ending = nothingEnded;
  }

  /** Before the first step, so that an end of Claude always finds the request. */
  #request(now: number): boolean {
    const { environment, events, session } = this.#claude;
    const id = session()?.id;
    if (this.#ending.startedAt !== null) return true;
    const isWritten =
      events !== undefined &&
      id !== undefined &&
      bestEffort(
        environment,
        () => {
          writeRestoreRequest(events, { sessionId: id, time: now });
          return true;
        },
        false,
      );
    if (!isWritten) this.#fail();
    return isWritten;
  }

  #fail(): void {
    const { environment, events } = this.#claude;
    if (events !== undefined) bestEffort(environment, () => withdrawRestoreRequest(events), undefined);
    this.#settle("failed");
  }

  #show(isOffered: boolean): void {
    const { onLine } = this.#claude;
    const failure = this.#wish === "failed" && this.#state === "context-full" ? stillRunningLine : undefined;
    onLine(isOffered && this.#point ? overflowLine(this.#point) : failure);
  }

  #do(step: EndStep, now: number): void {
    const { write, claude } = this.#claude;
    this.#ending = recordEndStep(this.#ending, step, now);
    if (step === "text") return write(pasteText(exitCommand));
    if (step === "escape" || step === "clear" || step === "drop" || step === "send") return write(promptKeys[step]);
    const identity = claude();
    if (!identity) return this.#fail();
    signalProcess(identity, "SIGTERM");
  }

  #screen(): ExitScreen {
    return readExitScreen(this.#rows());
  }

  /**
   * A prompt that is sent while Claude runs its Stop hooks may stay in the input line of 2.1.197. Claude gets it again after the
   * restore, so nothing is lost with it.
   */
  #showsSentPrompt(): boolean {
    const sent = this.#point?.lastPrompt;
    return typeof sent === "string" && readPromptScreen(this.#rows(), sent) === "ours";
  }

  #rows(): ScreenRows {
    const { model } = this.#claude;
    return { all: model.text().rows, firm: model.text({ firm: true }).rows };
  }
}

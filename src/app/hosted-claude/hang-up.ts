import { exitCommand, pasteText, promptKeys } from "../../claude/screen/prompt-keys.ts";
import { readExitScreen } from "../../claude/screen/prompt-screen.ts";
import {
  decideHangup,
  type Ending,
  endingDuring,
  type EndStep,
  type HangupPolicy,
  nothingEnded,
  recordEndStep,
} from "../../core/host/hang-up.ts";
import type { Settings } from "../../core/settings.ts";
import type { ScreenModel } from "../../io/terminal/screen-model.ts";
import type { HostedStatus } from "../../store/hosts/host-records.ts";
import type { Environment } from "../environment.ts";

export interface HungUpClaude {
  readonly environment: Environment;
  readonly policy: HangupPolicy;
  readonly settings: Pick<Settings, "askTimeoutHours" | "typeContinuation">;
  readonly model: Pick<ScreenModel, "text">;
  write(text: string): void;
  signal(signal: "SIGHUP" | "SIGTERM"): void;
  killAll(): void;
}

const hourMs = 3_600_000;

/** Ends a hosted Claude after its last terminal was lost, as the policy says. A new terminal cancels it. */
export class HangUp {
  readonly #claude: HungUpClaude;
  #lostAt: number | null = null;
  #ending: Ending = nothingEnded;

  constructor(claude: HungUpClaude) {
    this.#claude = claude;
  }

  /** Null while a terminal is attached, or after the user has detached it. */
  get status(): HostedStatus["hangup"] {
    return this.#lostAt === null ? null : { policy: this.#claude.policy, time: this.#lostAt };
  }

  /** The host has begun to end Claude, so an end of Claude is the host's work. */
  get isEnding(): boolean {
    return this.#ending.startedAt !== null;
  }

  onLost(): void {
    this.#lostAt = this.#claude.environment.now();
  }

  onAttached(): void {
    // The user finds the prompt without the host's text.
    if (this.#ending.last === "text") this.#claude.write(promptKeys.clear);
    this.#lostAt = null;
    this.#ending = nothingEnded;
  }

  /** Takes the next step. Returns after how many milliseconds to decide again; undefined: when the state changes. */
  decide({ state, since }: Pick<HostedStatus, "state" | "since">, quietMs: number): number | undefined {
    if (this.#lostAt === null || state.kind === "ended") return undefined;
    this.#ending = endingDuring(this.#ending, state);
    const { environment, policy, settings, model } = this.#claude;
    const now = environment.now();
    const rows = { all: model.text().rows, firm: model.text({ firm: true }).rows };
    const decision = decideHangup({
      now,
      policy,
      lostAt: this.#lostAt,
      state,
      since,
      quietMs,
      screen: readExitScreen(rows),
      continuesLimits: settings.typeContinuation,
      askTimeoutMs: settings.askTimeoutHours * hourMs,
      ending: this.#ending,
    });
    if (decision.kind === "wait") return decision.until === null ? undefined : Math.max(0, decision.until - now);
    this.#ending = recordEndStep(this.#ending, decision.step, now);
    this.#do(decision.step);
    return 0;
  }

  #do(step: EndStep): void {
    const { write, signal, killAll } = this.#claude;
    switch (step) {
      case "text":
        return write(pasteText(exitCommand));
      case "escape":
      case "clear":
      case "drop":
      case "send":
        return write(promptKeys[step]);
      case "SIGHUP":
      case "SIGTERM":
        return signal(step);
      case "kill":
        return killAll();
    }
  }
}

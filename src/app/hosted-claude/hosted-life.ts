import type { HostCommand, HostedEnd } from "../../core/host/frames.ts";
import type { HostLine } from "../../core/host/host-line.ts";
import type { Settings } from "../../core/settings.ts";
import type { Pty } from "../../io/terminal/pty.ts";
import type { ScreenModel } from "../../io/terminal/screen-model.ts";
import type { HostedSession, HostedStatus, HostPlan } from "../../store/hosts/host-records.ts";
import type { Environment } from "../environment.ts";
import { HangUp } from "./hang-up.ts";
import type { HostRun } from "./host-run.ts";
import { type CommandSource, HostedOverflow } from "./overflow.ts";
import { type SeenStatus, StateWatch } from "./watch-state.ts";
import { HostedNewsTeller } from "./hosted-news.ts";

export interface LivingClaude {
  readonly plan: HostPlan;
  readonly environment: Environment;
  readonly settings: Settings;
  /** The directory where its hooks write events. */
  readonly events: string | undefined;
  readonly run: HostRun;
  readonly model: ScreenModel;
  pty(): Pick<Pty, "write" | "signal" | "killAll"> | undefined;
  session(): HostedSession | null;
  /** Set when a service runs it. */
  readonly service?: object;
  onStatus(status: HostedStatus): void;
  /** Writes bytes to all terminals that make them notify their user. */
  onNotice(bytes: string): void;
  /** Shows a line in all terminals; undefined removes it. */
  onLine(line: HostLine | undefined): void;
}

/** What a hosted Claude is doing, which terminals show it, and what follows when the last one is lost. */
export class HostedLife {
  readonly #claude: LivingClaude;
  readonly #watch: StateWatch;
  readonly #hangUp: HangUp;
  readonly #overflow: HostedOverflow;
  readonly #news: HostedNewsTeller;
  #status: HostedStatus;
  #terminals = 0;
  #isOver = false;

  constructor(claude: LivingClaude) {
    const { plan, settings, environment } = claude;
    this.#claude = claude;
    this.#status = {
      state: { kind: "working" },
      since: environment.now(),
      title: null,
      terminals: 0,
      hangup: null,
    };
    this.#watch = new StateWatch({ ...claude, onLook: (seen) => this.#onLook(seen) });
    this.#news = new HostedNewsTeller(claude);
    this.#overflow = new HostedOverflow({
      ...claude,
      // Only a cclaude in the host reads requests.
      events: plan.name === "cclaude" ? claude.events : undefined,
      write: (text) => claude.pty()?.write(text),
      claude: () => this.#watch.claude,
    });
    this.#hangUp = new HangUp({
      ...claude,
      // A program that was started without a terminal does not depend on one.
      policy: plan.background ? "keep" : settings.onHangup,
      write: (text) => claude.pty()?.write(text),
      signal: (signal) => claude.pty()?.signal(signal),
      killAll: () => claude.pty()?.killAll(),
    });
  }

  /** The host has begun to end Claude because its last terminal was lost. */
  get isEnding(): boolean {
    return this.#hangUp.isEnding;
  }

  /** What the continuation learns about a limit also belongs to Claude's state. */
  get limitReports(): Pick<HostRun, "waiting" | "retrying" | "held" | "working"> {
    const { run } = this.#claude;
    return {
      waiting: (until) => {
        this.#watch.onWait({ until, held: null });
        run.waiting(until);
      },
      retrying: (until) => {
        this.#watch.onWait(undefined);
        run.retrying(until);
      },
      held: (held) => {
        this.#watch.onWait({ until: null, held });
        run.held(held);
      },
      working: () => {
        this.#watch.onWait(undefined);
        run.working();
      },
    };
  }

  onOutput(): void {
    this.#watch.onOutput();
  }

  /** A terminal was attached or resized. */
  onAttached(terminals: number): void {
    this.#terminals = terminals;
    this.#hangUp.onAttached();
    this.#report({});
    this.#watch.lookIn(0);
  }

  /** A terminal has left. `isLost`: the user did not detach it. */
  onLeft(terminals: number, isLost: boolean): void {
    this.#terminals = terminals;
    if (terminals === 0 && isLost) this.#hangUp.onLost();
    this.#report({});
    this.#watch.lookIn(0);
  }

  /** The user of this client pressed the prefix and a key. */
  onCommand(name: HostCommand, from: CommandSource): void {
    const answer = this.#overflow.onCommand(name);
    if (answer) from.showNotice(answer);
    this.#watch.lookIn(0);
  }

  /** The program has ended. Clients that leave after that change nothing: its record may be gone. */
  end(): void {
    this.#watch.end();
    this.#isOver = true;
  }

  /** Tells the user how the program ended. `isExpected`: the user or the system ended it. */
  tellEnd(end: HostedEnd, isExpected: boolean): void {
    this.#news.ended({ ...end, isExpected: isExpected || this.isEnding }, this.#terminals, this.#status.title);
  }

  #onLook(seen: SeenStatus): void {
    const { quietMs } = this.#watch;
    const hangup = this.#hangUp.status?.policy ?? null;
    const again =
      this.#overflow.decide({ ...seen, quietMs, terminals: this.#terminals, hangup }) ??
      this.#hangUp.decide(seen, quietMs);
    if (again !== undefined) this.#watch.lookIn(again);
    const news = this.#news.looked(seen, { terminals: this.#terminals, turnEndedAt: this.#watch.turnEndedAt });
    if (news !== undefined) this.#watch.lookIn(news);
    this.#report(seen);
  }

  #report(change: Partial<HostedStatus>): void {
    if (this.#isOver) return;
    const next = { ...this.#status, ...change, terminals: this.#terminals, hangup: this.#hangUp.status };
    if (JSON.stringify(next) === JSON.stringify(this.#status)) return;
    this.#status = next;
    this.#claude.onStatus(next);
  }
}

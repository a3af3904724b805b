import {
  type HostedEnding,
  type HostedMoment,
  type HostedTold,
  newsOfEnd,
  newsOfHosted,
  nothingTold,
} from "../../core/notify/hosted-news.ts";
import type { HostedStatus, HostPlan } from "../../store/hosts/host-records.ts";
import type { Environment } from "../environment.ts";
import { type News, notify } from "../notify/notify.ts";

interface ToldClaude {
  readonly plan: HostPlan;
  readonly environment: Environment;
  readonly service?: object;
  onNotice(bytes: string): void;
}

/** Tells the user what a hosted Claude is doing, through the channels that the user has configured. */
export class HostedNewsTeller {
  readonly #claude: ToldClaude;
  #told: HostedTold;

  constructor(claude: ToldClaude) {
    this.#claude = claude;
    this.#told = nothingTold(claude.environment.now());
  }

  /** Returns the milliseconds after which it wants another look. */
  looked(
    seen: Pick<HostedStatus, "state" | "since" | "title">,
    { terminals, turnEndedAt }: Pick<HostedMoment, "terminals" | "turnEndedAt">,
  ): number | undefined {
    const { environment } = this.#claude;
    const moment = { ...seen, terminals, turnEndedAt };
    const { told, event, need, until, again } = newsOfHosted(environment.now(), moment, this.#told);
    this.#told = told;
    if (event) this.#tell({ event, need: need ?? null, until: until ?? null, title: seen.title, cause: null });
    return again;
  }

  ended(ending: HostedEnding, terminals: number, title: string | null): void {
    const event = newsOfEnd(ending, terminals);
    if (!event) return;
    const cause = event === "failed" ? (ending.signal ?? `exit code ${ending.exitCode}`) : null;
    this.#tell({ event, need: null, until: null, title, cause });
  }

  #tell(news: Omit<News, "source" | "id" | "directory">): void {
    const { plan, environment, service, onNotice } = this.#claude;
    const source = service ? "service" : "session";
    notify(environment, { ...news, source, id: plan.id, directory: plan.directory }, onNotice);
  }
}

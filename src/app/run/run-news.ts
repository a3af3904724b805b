import { newsOfRun } from "../../core/notify/run-news.ts";
import type { RunState } from "../../core/restart/machine.ts";
import type { RunPlan } from "../../core/run/run-record.ts";
import { notify } from "../notify/notify.ts";
import type { Environment } from "../environment.ts";
import type { RunView } from "./run-events.ts";

/** Tells the user what happens to a run, through the channels that the user has configured. */
export class RunNews {
  readonly #environment: Environment;
  readonly #plan: RunPlan;
  readonly #view: RunView;
  #wasLimited = false;

  constructor(environment: Environment, plan: RunPlan, view: RunView) {
    this.#environment = environment;
    this.#plan = plan;
    this.#view = view;
  }

  changed(before: RunState, after: RunState): void {
    const news = newsOfRun(before, after, this.#wasLimited);
    if (!news) return;
    this.#wasLimited = news.event === "limit";
    const { id, task, cwd } = this.#plan;
    const facts = { source: "run", id, title: task, directory: cwd, need: null } as const;
    notify(this.#environment, { ...facts, ...news, until: after.until }, this.#view.notice);
  }
}

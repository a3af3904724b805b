import { canResume, canStop, orderCards, toneOfRun, toneOfService } from "../../core/dashboard/cards.ts";
import type { Card, Now } from "../../core/dashboard/contract.ts";
import { hasEnded } from "../../core/run/run-record.ts";
import { machineName } from "../../io/system.ts";
import { viewUsage, windowNames } from "../cost/usage-view.ts";
import type { Environment } from "../environment.ts";
import { describeDenial } from "../explain-denied.ts";
import {
  type ListedRun,
  listRuns,
  nextCommand,
  stateOfRun,
  stateSince,
  titleOf,
  wordsOfRun,
} from "../run-records/list-runs.ts";
import { recentCosts, today } from "../run-records/run-costs.ts";
import { type ServiceReport, serviceReports } from "../service/service-logs.ts";

const shownEndedRuns = 20;
const listedEndedRuns = 200;

export interface NowOptions {
  readonly version: string;
  readonly isReadOnly: boolean;
  readonly services: readonly ServiceReport[];
}

/** Everything that the first view shows, from the same records as `status`, `usage` and `service status`. */
export function lookNow(environment: Environment, { version, isReadOnly, services }: NowOptions): Now {
  const listed = listRuns(environment, shownEndedRuns);
  const { seen, windows } = viewUsage(environment);
  const { days, projects } = recentCosts(environment);
  const day = today(environment);
  return {
    version,
    machine: machineName(),
    home: environment.home,
    isReadOnly,
    time: environment.now(),
    cards: orderCards([...listed.runs.map(cardOfRun), ...services.map(cardOfService)]),
    olderRuns: listed.older,
    usage: { seen, windows: windows.map((window) => ({ ...window, name: windowNames[window.window] })) },
    todayUsd: days.find((each) => each.day === day)?.usd ?? 0,
    weekUsd: projects.reduce((sum, { usd }) => sum + usd, 0),
    problems: [
      ...(listed.denied ? [describeDenial(listed.denied)] : []),
      ...listed.unreadable.map((id) => `the record of run ${id} cannot be read`),
    ],
  };
}

/** All runs that have not ended, and the newest of the others. */
export const listRunCards = (environment: Environment): Card[] =>
  listRuns(environment, listedEndedRuns).runs.map(cardOfRun);

function cardOfRun(run: ListedRun): Card {
  const { plan, status } = run.record;
  const state = stateOfRun(run);
  return {
    kind: plan.kind === "interactive" || plan.cclaude ? "claude" : "run",
    id: plan.id,
    title: titleOf(run),
    directory: plan.cwd,
    ...wordsOfRun(state),
    tone: toneOfRun(state),
    since: stateSince(run),
    lastStep: status.lastStep,
    costUsd: status.costUsd,
    sessionId: run.sessionId || null,
    hasTerminal: run.hosted !== undefined,
    hasEnded: hasEnded(status.phase),
    canStop: canStop(state),
    canResume: canResume(state),
    command: nextCommand(plan.id, run.sessionId, state) || null,
  };
}

const cardOfService = ({ record, state, last }: ServiceReport): Card => ({
  kind: "service",
  id: record.slug,
  title: record.slug,
  directory: record.workspace,
  words: state.state,
  tone: toneOfService(state),
  wait: null,
  since: null,
  lastStep: (state.state === "running" ? (state.detail ?? last) : (last ?? state.detail)) ?? null,
  costUsd: 0,
  sessionId: null,
  hasTerminal: false,
  hasEnded: false,
  canStop: false,
  canResume: false,
  command: `ai-runtime service logs ${record.slug}`,
});

/** Asking the system costs a process for each service, so the answer is kept for this long. */
const serviceAgeMs = 10_000;

/** The states of the services, asked for again when they are older than ten seconds. */
export class KnownServices {
  readonly #environment: Environment;
  #reports: readonly ServiceReport[] = [];
  #asked = Number.NEGATIVE_INFINITY;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  async reports(): Promise<readonly ServiceReport[]> {
    const now = this.#environment.now();
    if (Math.abs(now - this.#asked) < serviceAgeMs) return this.#reports;
    this.#asked = now;
    this.#reports = await serviceReports(this.#environment, undefined).catch(() => []);
    return this.#reports;
  }
}

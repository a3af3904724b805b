import { type CostTotals, type RunCost, totalCosts } from "../../core/cost/run-costs.ts";
import { makeRunId } from "../../core/run/run-id.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { listActiveIds, listEndedIds, readIfWhole } from "../../store/runs/run-registry.ts";
import type { Environment } from "../environment.ts";
import { runPathsOf } from "./register-run.ts";

/** Costs of runs that began within this time. */
const weekMs = 7 * 86_400_000;

/** What the runs of the last week cost, per day and per project. */
export function recentCosts(environment: Environment): CostTotals {
  return totalCosts(costsOf(runPathsOf(environment), environment.now()), dayOf);
}

/** What all runs cost today, and those of this project in the last week. */
export function costsFor(environment: Environment, project: string): { todayUsd: number; projectUsd: number } {
  const { days, projects } = recentCosts(environment);
  const present = today(environment);
  return {
    todayUsd: days.find(({ day }) => day === present)?.usd ?? 0,
    projectUsd: projects.find((each) => each.project === project)?.usd ?? 0,
  };
}

function costsOf(paths: RunPaths, now: number): RunCost[] {
  // An id starts with its time.
  const oldest = makeRunId(now - weekMs, () => 0);
  const ids = new Set([...listActiveIds(paths), ...listEndedIds(paths)].filter((id) => id >= oldest));
  return [...ids].flatMap((id) => {
    const record = readIfWhole(paths, id);
    return record ? [{ project: record.plan.cwd, time: record.status.since, usd: record.status.costUsd }] : [];
  });
}

/** The present day, as the costs name it. */
export const today = ({ now }: Environment): string => dayOf(now());

/** The local date, such as `2026-11-18`. */
function dayOf(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

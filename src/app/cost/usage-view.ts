import { checkpointsDirectory } from "../../claude/paths.ts";
import { forecastUsage, sampleWindow, type WindowForecast } from "../../core/cost/burn-rate.ts";
import type { CostModel } from "../../core/cost/cold-resume.ts";
import { readUsageHistory } from "../../store/checkpoints/usage-history.ts";
import { readUsageState } from "../../store/checkpoints/usage-state.ts";
import { readCostModel } from "../../store/cost/cost-model.ts";
import { runRoot } from "../../store/runs/run-paths.ts";
import type { Environment } from "../environment.ts";

export { windowNames } from "../../core/checkpoint/usage.ts";

export interface UsageView {
  /** Milliseconds since 1970: when Claude last reported the usage; null when it never did. */
  readonly seen: number | null;
  readonly windows: readonly (WindowForecast & {
    readonly chart: readonly (number | null)[];
    readonly spanMs: number;
  })[];
  readonly model: CostModel;
}

const hourMs = 3_600_000;
const spans = { five_hour: 10 * hourMs, seven_day: 14 * 24 * hourMs };
const chartColumns = 40;

/** The usage windows as Claude reported them, how fast they fill, and when they are full. */
export function viewUsage({ claudeConfig, variables, home, now: clock }: Environment): UsageView {
  const now = clock();
  const shared = checkpointsDirectory(claudeConfig);
  const state = readUsageState(shared);
  const history = readUsageHistory(shared);
  // A record of an earlier version has no history.
  const samples = history.length > 0 || !state ? history : [{ time: state.time, usage: state.usage }];
  const windows = forecastUsage(samples, now).map((forecast) => {
    const spanMs = spans[forecast.window];
    return { ...forecast, spanMs, chart: sampleWindow(samples, forecast.window, { now, spanMs, count: chartColumns }) };
  });
  return { seen: state?.time ?? null, windows, model: readCostModel(runRoot(variables, home)) };
}

/** What one run has cost so far. */
export interface RunCost {
  readonly project: string;
  /** Milliseconds since 1970: when it last changed. */
  readonly time: number;
  readonly usd: number;
}

export interface CostTotals {
  /** Local dates such as `2026-11-18`, newest first. */
  readonly days: readonly { readonly day: string; readonly usd: number }[];
  /** The most expensive first. */
  readonly projects: readonly { readonly project: string; readonly usd: number }[];
}

/** Costs per day and per project. A run counts for the day on which it last changed. */
export function totalCosts(costs: readonly RunCost[], dayOf: (time: number) => string): CostTotals {
  const paid = costs.filter(({ usd }) => usd > 0);
  const days = sumBy(paid, ({ time }) => dayOf(time)).map(([day, usd]) => ({ day, usd }));
  const projects = sumBy(paid, ({ project }) => project).map(([project, usd]) => ({ project, usd }));
  return {
    days: days.sort((a, b) => (a.day < b.day ? 1 : -1)),
    projects: projects.sort((a, b) => b.usd - a.usd),
  };
}

function sumBy(costs: readonly RunCost[], keyOf: (cost: RunCost) => string): [key: string, usd: number][] {
  const sums = new Map<string, number>();
  for (const cost of costs) sums.set(keyOf(cost), (sums.get(keyOf(cost)) ?? 0) + cost.usd);
  return [...sums];
}

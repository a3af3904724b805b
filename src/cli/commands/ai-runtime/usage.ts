import { type UsageView, viewUsage, windowNames } from "../../../app/cost/usage-view.ts";
import { recentCosts } from "../../../app/run-records/run-costs.ts";
import { formatClock, formatDuration, formatTime } from "../../format.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";
import { shortPath } from "../../run-list/state-words.ts";
import { type Column, renderTable } from "../../table.ts";

const maxProjects = 10;

export default defineVerb({
  summary: "shows the usage windows, how fast they fill and when they are full, and what runs cost",
  details: `Claude reports the windows of a subscription in its status line and to runs; nothing is asked for here. The rate is that
of the last hour. Costs are those of the runs of the last seven days, as Claude reports them.`,
  args: { ...commonArgs },
  examples: [
    ["ai-runtime usage", "shows the windows, the forecast and the costs"],
    ["ai-runtime usage --json", "prints the same for a script"],
  ],
  async run(_, output, { environment }) {
    const view = viewUsage(environment);
    const costs = recentCosts(environment);
    if (output.mode === "json") {
      output.json({ seen: iso(view.seen), windows: view.windows.map(jsonOfWindow), costs, model: view.model });
      return;
    }
    const now = Date.now();
    const { dim } = output.colors;
    const lines: string[] = [];
    if (view.windows.length === 0) lines.push("Claude has not reported any usage yet.");
    else {
      const [head = "", ...rows] = renderTable(
        [...columns],
        view.windows.map((each) => row(each, now)),
        output.tableWidth,
      );
      lines.push(dim(head), ...rows);
      if (view.seen !== null)
        lines.push(dim(`reported ${formatTime(view.seen, now)} (${formatDuration(now - view.seen)} ago)`));
    }
    const dollars = (usd: number): string => `$${usd.toFixed(2)}`;
    if (costs.days.length > 0) {
      const shown = costs.projects.slice(0, maxProjects);
      lines.push("", dim("cost of runs, last 7 days"));
      lines.push(...costs.days.map(({ day, usd }) => `${day}  ${dollars(usd).padStart(9)}`));
      lines.push(
        ...shown.map(({ project, usd }) => `${dollars(usd).padStart(9)}  ${shortPath(project, environment.home)}`),
      );
    }
    output.data(lines.join("\n"));
  },
});

const columns = [
  { title: "window" },
  { title: "used", align: "right" },
  { title: "rate", align: "right" },
  { title: "full", shrinksTo: 12 },
  { title: "resets", shrinksTo: 12 },
  { title: "so far", leavesAs: 1 },
] as const satisfies readonly Column[];

function row(window: UsageView["windows"][number], now: number): string[] {
  const { percent, perHour, fullAt, resetsAt, chart } = window;
  const moment = (time: number): string => `${formatClock(time, now)} (${formatDuration(time - now)})`;
  return [
    windowNames[window.window],
    `${Math.floor(percent)}%`,
    perHour === null ? "" : `${perHour.toFixed(1)}%/h`,
    fullAt === null ? (perHour === null ? "" : "not before its reset") : moment(fullAt),
    resetsAt === null ? "" : moment(resetsAt),
    drawChart(chart),
  ];
}

const bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** One column per interval; a space where nothing is known. */
const drawChart = (shares: readonly (number | null)[]): string =>
  shares
    .map((share) =>
      share === null ? " " : (bars[Math.min(bars.length - 1, Math.floor((share / 100) * bars.length))] ?? ""),
    )
    .join("")
    .trimStart();

const jsonOfWindow = ({ window, percent, resetsAt, perHour, fullAt }: UsageView["windows"][number]): object => ({
  window,
  percent,
  resetsAt: iso(resetsAt),
  percentPerHour: perHour,
  fullAt: iso(fullAt),
});

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

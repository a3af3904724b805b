import type { Environment } from "../../../app/environment.ts";
import { hasHub } from "../../../app/hub/has-hub.ts";
import type { RunElsewhere } from "../../../app/hub/fetch/hub-runs.ts";
import { type ListedRuns, listRun, listRuns } from "../../../app/run-records/list-runs.ts";
import { ensureDispatcher } from "../../../app/queue/dispatcher.ts";
import { runPathsOf } from "../../../app/run-records/register-run.ts";
import { costsFor, recentCosts } from "../../../app/run-records/run-costs.ts";
import { watchRuns } from "../../../app/run-records/watch-runs.ts";
import { Failure } from "../../../core/failure.ts";
import { messageOf } from "../../../core/message-of.ts";
import type { Output } from "../../output.ts";
import { renderTable } from "../../table.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";
import { renderDetails } from "../../run-list/run-details.ts";
import { jsonOfRuns } from "../../run-list/run-json.ts";
import { renderFleet, renderFleetRuns } from "../../run-list/fleet-words.ts";
import { renderRuns } from "../../run-list/run-list.ts";
import { watchScreen } from "../../run-list/watch-screen.ts";

const shownEndedRuns = 20;

/** Undefined without a hub. When the hub is away, local runs are shown all the same. */
async function runsElsewhere(environment: Environment, output: Output): Promise<RunElsewhere[] | undefined> {
  if (!hasHub(process.env)) return undefined;
  try {
    return await (await import("../../../app/hub/fetch/hub-runs.ts")).listRunsElsewhere(environment);
  } catch (error) {
    output.warn(`runs of other machines are not shown: ${messageOf(error)}`);
    return [];
  }
}

function renderElsewhere(runs: readonly RunElsewhere[], { colors, tableWidth }: Output): string[] {
  if (runs.length === 0) return [];
  const rows = runs.map(({ id, machine, phase, held, directory, task }) => [
    id,
    machine,
    held ? `${phase}, running there` : phase,
    directory,
    task,
  ]);
  const [head = "", ...body] = renderTable(elsewhereColumns, rows, tableWidth);
  return ["", colors.dim(head), ...body];
}

const elsewhereColumns = [
  { title: "run elsewhere" },
  { title: "machine", shrinksTo: 8 },
  { title: "state", shrinksTo: 8 },
  { title: "directory", shrinksTo: 10 },
  { title: "task", shrinksTo: 12 },
] as const;

export default defineVerb({
  summary: "shows all runs, from any directory: state, title, directory, last step, wait, cost",
  args: {
    run: { type: "positional", required: false, description: "all about this run: its id, or the start or end of it" },
    all: { type: "boolean", description: `show all ended runs, not only the last ${shownEndedRuns}` },
    fleet: { type: "boolean", description: "workers, accounts with usage and reset, and runs of the fleet" },
    watch: { type: "boolean", description: "keep running and show every change; q ends it" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime status", "shows active, waiting and ended runs"],
    ["ai-runtime status k3f9", "shows all that is known about one run"],
    ["ai-runtime status --watch", "shows changes until q or Ctrl-C"],
    ["ai-runtime status --json", "prints the same for a script"],
  ],
  async run(args, output, { environment }) {
    if (args.fleet === true) return showFleet(environment, output);
    ensureDispatcher(environment);
    const maxEnded = args.all === true ? Number.POSITIVE_INFINITY : shownEndedRuns;
    const look = (): ListedRuns =>
      args.run === undefined ? listRuns(environment, maxEnded) : listRun(environment, args.run);
    const elsewhere =
      args.run === undefined && args.watch !== true ? await runsElsewhere(environment, output) : undefined;
    if (output.mode === "json") {
      const costs = costsOrNone(environment);
      return void output.json({ ...jsonOfRuns(look()), costs, ...(elsewhere ? { elsewhere } : {}) });
    }
    const draw = (tableWidth: number): string[] => {
      const place = { home: environment.home, cwd: environment.cwd, now: Date.now() };
      const listed = look();
      const [only] = listed.runs;
      if (args.run !== undefined && only) return renderDetails(only, output, place);
      const costs = describeCosts(environment);
      const lines = renderRuns(listed, { ...output, tableWidth }, place);
      return costs === undefined ? lines : [...lines, output.colors.dim(costs)];
    };
    if (args.watch !== true) {
      const lines = [...draw(output.tableWidth), ...renderElsewhere(elsewhere ?? [], output)];
      return void output.data(lines.join("\n"));
    }
    if (!output.isTerminal || !process.stdin.isTTY) {
      throw new Failure("usage", "status --watch needs a terminal", {
        hint: "A script can repeat: ai-runtime status --json",
      });
    }
    const { stdin, stdout } = process;
    const drawWithKeys = (width: number): string[] => [...draw(width), output.colors.dim("q quits")];
    await watchScreen({
      stdin,
      stdout,
      draw: drawWithKeys,
      watch: (onChange) => watchRuns(runPathsOf(environment), onChange),
    });
  },
});

async function showFleet(environment: Environment, output: Output): Promise<void> {
  const { readFleetStatus } = await import("../../../app/fleet/fleet-status.ts");
  const { listFleet } = await import("../../../app/fleet/fleet-queue.ts");
  const report = await readFleetStatus(environment);
  const open = await listFleet(environment, 0);
  if (output.mode === "json") return output.json({ ...report, open });
  const now = environment.now();
  const runs = open.length === 0 ? [] : ["", ...renderFleetRuns(open, output, now)];
  output.data([...renderFleet(report, output, now), ...runs].join("\n"));
}

/** Undefined when the runs of the last week cost nothing, or their records cannot be read. */
function describeCosts(environment: Environment): string | undefined {
  try {
    const { todayUsd, projectUsd } = costsFor(environment, environment.cwd);
    if (todayUsd < 0.005 && projectUsd < 0.005) return undefined;
    return `cost: $${todayUsd.toFixed(2)} today, $${projectUsd.toFixed(2)} here in 7 days; more: ai-runtime usage`;
  } catch {
    return undefined;
  }
}

function costsOrNone(environment: Environment): object | null {
  try {
    return recentCosts(environment);
  } catch {
    return null;
  }
}

import { currentEnvironment } from "../../app/environment.ts";
import { type ListedRun, type ListedRuns, listRun, listRuns } from "../../app/list-runs.ts";
import { runPathsOf } from "../../app/start-run.ts";
import { formatClock, formatDuration, formatRemaining } from "../format.ts";
import { oneLine } from "../one-line.ts";
import type { Output } from "../output.ts";
import { renderTable } from "../table.ts";
import { commonArgs, defineVerb } from "../verb.ts";
import { watchScreen } from "../watch-screen.ts";

const mostEnded = 20;

export default defineVerb({
  summary: "shows all runs, from any directory: state, last step, waiting until, cost",
  args: {
    run: { type: "positional", required: false, description: "one run alone, by its id or a beginning or end of it" },
    all: { type: "boolean", description: `also those that ended before the last ${mostEnded}` },
    watch: { type: "boolean", description: "stay, and show every change" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime status", "what runs, what waits, what has ended"],
    ["ai-runtime status --watch", "until Ctrl-C"],
    ["ai-runtime status --json", "for a script"],
  ],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const paths = runPathsOf(environment);
    const most = args.all === true ? Number.POSITIVE_INFINITY : mostEnded;
    const look = (): ListedRuns =>
      args.run === undefined ? listRuns(paths, most) : listRun(paths, args.run, environment.cwd);
    if (output.mode === "json") return void output.json(jsonOf(look()));
    if (args.watch !== true || !output.isTerminal)
      return void output.data(render(look(), output, Date.now()).join("\n"));
    await watchScreen(process.stdout, (width) => render(look(), { ...output, width }, Date.now()));
  },
});

function jsonOf({ runs, older, unreadable }: ListedRuns): object {
  return {
    runs: runs.map(({ record: { plan, status }, died }) => ({
      id: plan.id,
      kind: plan.kind,
      state: died ? "died" : status.phase,
      task: plan.task,
      cwd: plan.cwd,
      session: plan.sessionId,
      permissionMode: plan.permissionMode,
      created: new Date(plan.created).toISOString(),
      since: new Date(status.since).toISOString(),
      until: status.until === null ? null : new Date(status.until).toISOString(),
      cause: status.cause,
      steps: status.steps,
      lastStep: status.lastStep,
      attempts: status.attempts,
      costUsd: status.costUsd,
      directory: plan.directory,
    })),
    older,
    unreadable,
  };
}

function render({ runs, older, unreadable }: ListedRuns, output: Output, now: number): string[] {
  const { dim, yellow } = output.colors;
  const lines: string[] = [];
  if (runs.length === 0) lines.push('No runs yet. Start one with: ai-runtime run "<task>"');
  else {
    const [head = "", ...body] = renderTable(
      columns,
      runs.map((run) => row(run, now)),
      output.width,
    );
    lines.push(dim(head), ...body.map((line, index) => paintRow(line, runs[index], output)));
  }
  if (older > 0) lines.push(dim(`${older} older ones: ai-runtime status --all`));
  const died = runs.filter((run) => run.died).length;
  if (died > 0)
    lines.push(yellow(`${died === 1 ? "One run has" : `${died} runs have`} died; go on with: ai-runtime recover`));
  for (const id of unreadable) lines.push(yellow(`! the record of run ${id} cannot be read`));
  return lines;
}

const columns = [
  // The end of an id is as good as the whole.
  { title: "run" },
  { title: "state" },
  { title: "task", shrinksTo: 12 },
  { title: "last step", shrinksTo: 8, leavesAs: 4 },
  { title: "starts", align: "right", leavesAs: 2 },
  { title: "cost", align: "right", leavesAs: 1 },
  { title: "age", align: "right", leavesAs: 3 },
] as const;

function row({ record: { plan, status }, died }: ListedRun, now: number): string[] {
  return [
    plan.id,
    stateOf({ record: { version: 1, plan, status }, died }, now),
    plan.task || "(interactive)",
    status.lastStep ?? "",
    String(status.attempts),
    status.costUsd >= 0.005 ? `$${status.costUsd.toFixed(2)}` : "",
    formatDuration(now - plan.created),
  ];
}

function stateOf({ record: { status }, died }: ListedRun, now: number): string {
  if (died) return "died";
  const { phase, until, cause } = status;
  if (phase === "waiting-limit" && until !== null)
    return `limit → ${formatClock(until, now)} (${formatRemaining(until - now)})`;
  if (phase === "backing-off" && until !== null) return `restart in ${formatRemaining(until - now)}`;
  return phase === "failed" || phase === "paused" ? `${phase}: ${cause ?? ""}` : phase;
}

function paintRow(line: string, run: ListedRun | undefined, { colors }: Output): string {
  if (!run) return line;
  const { phase } = run.record.status;
  if (run.died || phase === "failed") return colors.yellow(line);
  if (phase === "done" || phase === "stopped") return colors.dim(line);
  return oneLine(line) === "" ? line : colors.bold(line);
}

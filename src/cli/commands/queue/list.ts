import { ensureDispatcher } from "../../../app/queue/dispatcher.ts";
import type { Environment } from "../../../app/environment.ts";
import { type QueuedRun, viewQueue } from "../../../app/queue/view-queue.ts";
import { Failure } from "../../../core/failure.ts";
import type { Output } from "../../output.ts";
import { renderFleetRuns } from "../../run-list/fleet-words.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";
import { oneLine } from "../../one-line.ts";
import { describeWait, jsonOfQueued } from "../../run-list/queue-words.ts";
import { shortId, shortPath } from "../../run-list/state-words.ts";
import { type Column, renderTable } from "../../table.ts";

const columns = [
  { title: "#", align: "right" },
  { title: "run" },
  { title: "waits for", shrinksTo: 18 },
  { title: "priority", align: "right", leavesAs: 1 },
  { title: "task", shrinksTo: 12 },
  { title: "directory", shrinksTo: 10, cuts: "start", leavesAs: 2 },
] as const satisfies readonly Column[];

export default defineVerb({
  summary: "shows the runs that wait, in the order in which they start, and what each waits for",
  args: {
    fleet: { type: "boolean", description: "the runs of the fleet, on all machines, with those that work" },
    ended: { type: "boolean", description: "with --fleet: also the last 20 that have ended" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime queue list", "shows the queue"],
    ["ai-runtime queue list --json", "prints the same for a script"],
    ["ai-runtime queue list --fleet", "shows the runs in the hub"],
  ],
  async run(args, output, { environment }) {
    if (args.fleet === true) return listFleetRuns(environment, output, args.ended === true);
    if (args.ended === true) throw new Failure("usage", "--ended needs --fleet");
    ensureDispatcher(environment);
    const { waiting, running, isPaused } = viewQueue(environment);
    if (output.mode === "json") {
      output.json({ paused: isPaused, running, runs: waiting.map((run, index) => jsonOfQueued(run, index + 1)) });
      return;
    }
    const now = Date.now();
    const row = (run: QueuedRun, index: number): string[] => [
      String(index + 1),
      shortId(run.entry.id),
      describeWait(run, isPaused, now),
      String(run.entry.priority),
      oneLine(run.plan.task),
      shortPath(run.plan.cwd, environment.home),
    ];
    if (waiting.length > 0) output.data(renderTable([...columns], waiting.map(row), output.tableWidth).join("\n"));
    else output.note("No run waits in the queue.");
    if (running > 0) output.note(running === 1 ? "1 run of the queue works." : `${running} runs of the queue work.`);
    if (isPaused) output.note("The queue is paused. Continue with: ai-runtime queue resume");
  },
});

const shownEndedRuns = 20;

async function listFleetRuns(environment: Environment, output: Output, withEnded: boolean): Promise<void> {
  const { listFleet } = await import("../../../app/fleet/fleet-queue.ts");
  const runs = await listFleet(environment, withEnded ? shownEndedRuns : 0);
  if (output.mode === "json") return output.json({ runs });
  if (runs.length === 0) return output.note("The fleet has no run that waits or works.");
  output.data(renderFleetRuns(runs, output, environment.now()).join("\n"));
}

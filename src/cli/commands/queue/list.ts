import { ensureDispatcher } from "../../../app/queue/dispatcher.ts";
import { type QueuedRun, viewQueue } from "../../../app/queue/view-queue.ts";
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
  args: { ...commonArgs },
  examples: [
    ["ai-runtime queue list", "shows the queue"],
    ["ai-runtime queue list --json", "prints the same for a script"],
  ],
  async run(_, output, { environment }) {
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

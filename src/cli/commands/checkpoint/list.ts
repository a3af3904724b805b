import { adviseFirstCheckpoint, listAll, type ListedCheckpoint } from "../../../app/checkpoint/checkpoint.ts";
import { checkpointJson } from "../../../app/checkpoint/checkpoint-view.ts";
import { Failure } from "../../../core/failure.ts";
import { formatDuration } from "../../format.ts";
import { type Column, renderTable } from "../../table.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "lists the checkpoints of all directories, newest first",
  args: {
    past: { type: "boolean", description: "also list replaced and cleared checkpoints" },
    ...commonArgs,
  },
  examples: [["ai-runtime checkpoint list", "shows the work in all directories"]],
  async run(args, output, { environment }) {
    const all = listAll(environment, args.past === true);
    if (output.mode === "json") {
      return output.json({ checkpoints: all.map(({ checkpoint, past }) => ({ ...checkpointJson(checkpoint), past })) });
    }
    if (all.length === 0) {
      throw new Failure("not-found", "there are no checkpoints yet", {
        hint: adviseFirstCheckpoint(environment),
      });
    }
    const now = environment.now();
    const [head = "", ...body] = renderTable(
      columns,
      all.map((item) => row(item, now)),
      output.tableWidth,
    );
    output.data([output.colors.dim(head), ...body].join("\n"));
  },
});

const columns: readonly Column[] = [
  { title: "age", align: "right" },
  { title: "state" },
  { title: "directory", shrinksTo: 16 },
  { title: "goal", shrinksTo: 16 },
  { title: "next", shrinksTo: 8, leavesAs: 1 },
];

function row({ checkpoint, past }: ListedCheckpoint, now: number): string[] {
  const { time, finished, where, goal, next, written, seen } = checkpoint;
  const state = past ? "past" : finished ? "finished" : seen.failure === null || written ? "open" : "failed";
  return [formatDuration(now - time), state, where.directory, goal ?? "", next ?? ""];
}

import { listAll, type ListedCheckpoint } from "../../app/checkpoint.ts";
import { checkpointJson } from "../../app/checkpoint-view.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { Failure } from "../../core/failure.ts";
import { formatDuration } from "../format.ts";
import { type Column, renderTable } from "../table.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "lists the checkpoints of all directories, the newest first",
  args: {
    past: { type: "boolean", description: "also those that others took the place of, and cleared ones" },
    ...commonArgs,
  },
  examples: [["ai-runtime checkpoint list", "what is being worked on, everywhere"]],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const all = listAll(environment, args.past === true);
    if (output.mode === "json") {
      return output.json({ checkpoints: all.map(({ checkpoint, past }) => ({ ...checkpointJson(checkpoint), past })) });
    }
    if (all.length === 0) {
      throw new Failure("not-found", "there are no checkpoints yet", {
        hint: "Run ai-runtime install, and Claude's hooks will keep them.",
      });
    }
    const now = environment.now();
    const [head = "", ...body] = renderTable(
      columns,
      all.map((item) => row(item, now)),
      output.width,
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
  return [formatDuration(now - time), state, where.directory, goal ?? "", shorten(next ?? "")];
}

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 39).toWellFormed()}…` : text);

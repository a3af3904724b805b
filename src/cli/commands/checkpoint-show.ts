import { showCheckpoint } from "../../app/checkpoint.ts";
import { checkpointJson, checkpointPieces } from "../../app/checkpoint-view.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { joinPieces, painter } from "../paint-markdown.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "shows where the work in this directory stands, as Markdown",
  args: {
    global: { type: "boolean", description: "the newest of all directories" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime checkpoint show", "this directory's, or that of its repository"],
    ["ai-runtime checkpoint show --global --json", "the newest of all, for a script"],
  ],
  async run(args, output) {
    const found = showCheckpoint(currentEnvironment(process.env), process.cwd(), args.global === true);
    if (output.mode === "json") return output.json(checkpointJson(found));
    const width = Math.min(output.width, 110);
    const paint = output.isTerminal ? painter(output.colors, width) : ({ text }: { text: string }) => text;
    output.data([...joinPieces(checkpointPieces(found), paint)].join(""));
  },
});

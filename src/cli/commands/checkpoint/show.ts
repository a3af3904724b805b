import { showCheckpoint } from "../../../app/checkpoint/checkpoint.ts";
import { checkpointJson, checkpointPieces } from "../../../app/checkpoint/checkpoint-view.ts";
import { joinPieces, painter } from "../../messages/paint-markdown.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "shows where the work in this directory stands, as Markdown",
  args: {
    global: { type: "boolean", description: "show the newest of all directories" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime checkpoint show", "shows that of this directory or its repository"],
    ["ai-runtime checkpoint show --global --json", "prints the newest of all for a script"],
  ],
  async run(args, output, { environment }) {
    const found = showCheckpoint(environment, process.cwd(), args.global === true);
    if (output.mode === "json") return output.json(checkpointJson(found));
    const width = Math.min(output.width, 110);
    const paint = output.isTerminal ? painter(output.colors, width) : ({ text }: { text: string }) => text;
    output.data([...joinPieces(checkpointPieces(found), paint)].join(""));
  },
});

import { clearHere } from "../../../app/checkpoint/checkpoint.ts";
import { Failure } from "../../../core/failure.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "clears the checkpoint of this directory, so that new sessions start without it",
  details: "A copy is kept; see ai-runtime checkpoint list --past.",
  args: commonArgs,
  examples: [["ai-runtime checkpoint clear", "clears it"]],
  async run(_args, output, { environment }) {
    const cleared = await clearHere(environment, process.cwd());
    if (!cleared) throw new Failure("not-found", `there is no checkpoint for ${process.cwd()}`);
    if (output.mode === "json") return output.json({ cleared });
    output.success("Cleared. ai-runtime checkpoint list --past still shows it.");
  },
});

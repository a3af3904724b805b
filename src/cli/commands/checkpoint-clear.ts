import { clearHere } from "../../app/checkpoint.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { Failure } from "../../core/failure.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "forgets this directory's checkpoint: new sessions are told nothing",
  details: "It is kept among the past ones, see ai-runtime checkpoint list --past.",
  args: commonArgs,
  examples: [["ai-runtime checkpoint clear", "the next session starts with nothing"]],
  async run(_args, output) {
    const cleared = await clearHere(currentEnvironment(process.env), process.cwd());
    if (!cleared) throw new Failure("not-found", `there is no checkpoint for ${process.cwd()}`);
    if (output.mode === "json") return output.json({ cleared });
    output.success("Cleared; ai-runtime checkpoint list --past still has it.");
  },
});

import { syncHub } from "../../../app/hub/replicate/sync.ts";
import { Failure } from "../../../core/failure.ts";
import { formatBytes } from "../../format.ts";
import { divergedLine } from "../../messages/hub-messages.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "replicates everything now, and returns when the hub has it",
  details: "A background process does this all the time; this command is for the moment before you close the laptop.",
  args: commonArgs,
  examples: [["ai-runtime hub sync", "returns when everything is in the hub"]],
  async run(_args, output, { environment }) {
    const report = await syncHub(environment);
    for (const id of report.diverged) output.warn(divergedLine(id));
    if (report.problems.length > 0) {
      throw new Failure("partial", `not everything is in the hub: ${report.problems.join("; ")}`);
    }
    if (output.mode === "json") return output.json(report);
    output.success(`Everything is in the hub (${formatBytes(report.bytes)} sent).`);
  },
});

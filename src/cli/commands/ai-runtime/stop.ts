import { runPathsOf } from "../../../app/run-records/register-run.ts";
import { stopRun } from "../../../app/run-records/stop-run.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "stops a run permanently; a stopped run is never resumed",
  args: {
    run: {
      type: "positional",
      required: false,
      description: "id, or the start or end of it; default: the only active run",
    },
    ...commonArgs,
  },
  examples: [["ai-runtime stop k3f9", "asks claude to end, and kills it after ten seconds"]],
  async run(args, output, { environment }) {
    const { plan, status } = await stopRun(environment, runPathsOf(environment), args.run);
    if (output.mode === "json") output.json({ id: plan.id, state: status.phase });
    else if (status.phase === "stopped") output.success(`Stopped run ${plan.id}.`);
    else output.note(`Run ${plan.id} has already ended (${status.phase}).`);
  },
});

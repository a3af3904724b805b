import { currentEnvironment } from "../../app/environment.ts";
import { runPathsOf } from "../../app/start-run.ts";
import { stopRun } from "../../app/stop-run.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "ends a run for good; a stopped run is never resumed",
  args: {
    run: {
      type: "positional",
      required: false,
      description: "its id, or a beginning or end of it; unsaid: the only one",
    },
    ...commonArgs,
  },
  examples: [["ai-runtime stop k3f9", "claude is asked to end, and gets ten seconds for it"]],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const { plan, status } = await stopRun(environment, runPathsOf(environment), args.run);
    if (output.mode === "json") output.json({ id: plan.id, state: status.phase });
    else if (status.phase === "stopped") output.success(`Stopped run ${plan.id} for good.`);
    else output.note(`Run ${plan.id} had just ended by itself (${status.phase}).`);
  },
});

import { findLoggedRun, readRunLog, readWholeRunLog, whyNoLog } from "../../../app/run-records/run-log.ts";
import { runPathsOf } from "../../../app/run-records/register-run.ts";
import { orFleet, showFleetOutput } from "../../run-view/follow-fleet.ts";
import { printChunks } from "../../print-chunks.ts";
import { defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "prints the output of a run",
  args: {
    run: {
      type: "positional",
      required: false,
      description: "id, or the start or end of it; default: the newest run that has a log",
    },
  },
  examples: [["ai-runtime logs k3f9", "prints all of it; ai-runtime attach k3f9 also follows new output"]],
  async run(args, output, { environment }) {
    const { run } = args;
    const record = await orFleet<ReturnType<typeof findLoggedRun> | number>(
      () => findLoggedRun(runPathsOf(environment), run, environment.cwd),
      async () => (run === undefined ? undefined : showFleetOutput(environment, run, output, false)),
    );
    if (typeof record === "number") return record;
    const missing = whyNoLog(record);
    if (missing) throw missing;
    if (!readRunLog(record, 0)) output.note(`Run ${record.plan.id} has printed nothing yet.`);
    await printChunks(process.stdout, readWholeRunLog(record));
    return 0;
  },
});

import { currentEnvironment } from "../../app/environment.ts";
import { findNewestRun } from "../../app/find-run.ts";
import { readRunLog, readWholeRunLog, whyNoLog } from "../../app/run-log.ts";
import { runPathsOf } from "../../app/start-run.ts";
import { printChunks } from "../print-chunks.ts";
import { defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "prints what a run has printed",
  args: {
    run: {
      type: "positional",
      required: false,
      description: "its id, or a beginning or end of it; unsaid: the newest",
    },
  },
  examples: [["ai-runtime logs k3f9", "all of it; ai-runtime attach k3f9 also shows what comes"]],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const record = findNewestRun(runPathsOf(environment), args.run, environment.cwd);
    const missing = whyNoLog(record);
    if (missing) throw missing;
    if (!readRunLog(record, 0)) output.note(`Run ${record.plan.id} has printed nothing yet.`);
    await printChunks(process.stdout, readWholeRunLog(record));
  },
});

import { currentEnvironment } from "../../app/environment.ts";
import { detachRun } from "../../app/detach-run.ts";
import { chooseRunToResume, holdAndRun } from "../../app/resume-run.ts";
import { runPathsOf } from "../../app/start-run.ts";
import { resumeHosted } from "../host-words.ts";
import { runExitCode } from "../run-view.ts";
import { commonArgs, defineVerb } from "../verb.ts";
import { viewFor } from "../view-for.ts";

export default defineVerb({
  summary: "goes on with an interrupted run: the last one, or the given",
  details:
    "It has the task, the flags and the permissions of the first start, never more, and works in the run's own directory.",
  args: {
    run: { type: "positional", required: false, description: "its id, or a beginning or end of it" },
    detach: { type: "boolean", description: "return at once; the run needs no terminal" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime resume", "the newest interrupted run, of this directory if there is one"],
    ["ai-runtime resume k3f9", "by the end of its id"],
  ],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const paths = runPathsOf(environment);
    const record = chooseRunToResume(paths, args.run, environment.cwd);
    if (record.plan.kind === "interactive") return resumeHosted(environment, record, output, args.detach === true);
    if (args.detach === true) {
      await detachRun(environment, paths, record);
      output.data(record.plan.id);
      output.note(`Running in the background. Watch it with: ai-runtime attach ${record.plan.id}`);
      return 0;
    }
    return runExitCode(
      await holdAndRun(environment, paths, record, { view: viewFor(output), automatic: false, detached: false }),
    );
  },
});

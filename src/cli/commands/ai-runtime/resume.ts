import { hasHub } from "../../../app/hub/has-hub.ts";
import { adoptSession } from "../../../app/run-records/adopt-session.ts";
import { detachRun } from "../../../app/run/detach-run.ts";
import { chooseRunToResume, holdAndRun } from "../../../app/run/resume-run.ts";
import { runPathsOf } from "../../../app/run-records/register-run.ts";
import { resumeHosted } from "../../messages/host-messages.ts";
import { runExitCode } from "../../run-view/run-view.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";
import { viewFor } from "../../run-view/view-for.ts";

export default defineVerb({
  summary: "resumes an interrupted run",
  details: `The run keeps its directory, its task, and the flags and permissions of its first start. With a hub, it may be a run of
another machine, when that machine no longer works on it.`,
  args: {
    run: {
      type: "positional",
      required: false,
      description: "id, or the start or end of it; default: the newest, preferably of this directory",
    },
    detach: { type: "boolean", description: "return at once and run in the background" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime resume", "resumes the newest interrupted run"],
    ["ai-runtime resume k3f9", "finds a run by the end of its id"],
  ],
  async run(args, output, { environment }) {
    const paths = runPathsOf(environment);
    if (args.run !== undefined && hasHub(process.env)) {
      await (await import("../../../app/hub/fetch/hub-runs.ts")).bringRun(environment, paths, args.run);
    }
    const record = await adoptSession(environment, paths, chooseRunToResume(paths, args.run, environment.cwd));
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

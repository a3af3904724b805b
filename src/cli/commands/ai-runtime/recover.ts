import { restartHosted } from "../../../app/host/detachable.ts";
import { adoptSession } from "../../../app/run-records/adopt-session.ts";
import type { Environment } from "../../../app/environment.ts";
import { detachRun } from "../../../app/run/detach-run.ts";
import { findRecoverable } from "../../../app/run-records/recover.ts";
import { holdAndRun } from "../../../app/run/resume-run.ts";
import { runPathsOf } from "../../../app/run-records/register-run.ts";
import type { RunRecord } from "../../../core/run/run-record.ts";
import { Failure } from "../../../core/failure.ts";
import { exitCodes } from "../../exit-codes.ts";
import { resumeHosted } from "../../messages/host-messages.ts";
import { oneLine } from "../../one-line.ts";
import type { Output } from "../../output.ts";
import { truncate } from "../../table.ts";
import { runExitCode } from "../../messages/run-view.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";
import { viewFor } from "../../messages/view-for.ts";

/** Between two starts, so that many runs do not start at the same moment. */
const startIntervalMs = 2_000;

export default defineVerb({
  summary: "finds runs and sessions that died or gave up, and resumes them",
  details: `A run dies with the machine or with its supervisor. It gives up when claude keeps crashing, or when the API fails for longer
than --max-wait; such runs are found for a week. A cclaude is found when it was killed, or lost its terminal at work or at a limit: one
in a terminal continues in a host (ai-runtime attach shows it), a cclaude -p continues in the background. A single run is resumed here.
With --all, everything is resumed in the background, one after the other. Runs and sessions that are done, that you stopped or
interrupted, or that you did not start on this machine are never touched.`,
  args: {
    all: { type: "boolean", description: "resume all of them in the background" },
    "dry-run": { type: "boolean", description: "only list them" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime recover", "resumes the run that died in a crash"],
    ["ai-runtime recover --all", "resumes all runs after a reboot"],
  ],
  async run(args, output, { environment }) {
    const paths = runPathsOf(environment);
    const { runs, ignored, unreadable } = findRecoverable(environment, paths);
    for (const id of unreadable) {
      output.warn(
        `the record of run ${id} cannot be read; continue its conversation in its directory with: cclaude --resume`,
      );
    }
    for (const name of ignored) {
      output.warn(
        `ignored .ai-runtime/sessions/${oneLine(name)} of this project: you did not start it on this machine`,
      );
    }
    const [only] = runs;
    if (args["dry-run"] === true || !only || (runs.length > 1 && args.all !== true)) {
      if (output.mode === "json") output.json({ runs: runs.map(jsonOf), ignored, unreadable });
      else if (only) output.data(runs.map((run) => describe(run, output)).join("\n"));
      else output.note("Nothing to recover.");
      if (args["dry-run"] === true) return 0;
      if (!only) return args.all === true ? 0 : exitCodes["not-found"];
      throw new Failure("usage", `${runs.length} runs can be recovered`, {
        hint: "ai-runtime recover --all resumes all of them; ai-runtime resume <id> resumes one.",
      });
    }
    if (args.all !== true) {
      output.note(`Recovering ${describe(only, output)}`);
      const adopted = await adoptSession(environment, paths, only);
      if (adopted.plan.kind === "interactive") return resumeHosted(environment, adopted, output);
      // The script that started it is gone, so its output goes to the log.
      if (only.plan.cclaude) return continueInBackground(environment, adopted, output);
      const how = { view: viewFor(output), automatic: true, detached: false };
      return runExitCode(await holdAndRun(environment, paths, only, how));
    }
    const taken: RunRecord[] = [];
    for (const record of runs) {
      // A run that cannot be resumed does not stop the others.
      try {
        const adopted = await adoptSession(environment, paths, record);
        if (adopted.plan.kind === "interactive") await restartHosted(environment, adopted);
        else await detachRun(environment, paths, adopted, { delay: taken.length * startIntervalMs });
        taken.push(record);
        output.note(`Recovered ${describe(record, output)}`);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        output.warn(`${error.message}. ${error.hint ?? ""}`);
      }
    }
    if (output.mode === "json") output.json({ runs: taken.map(jsonOf), ignored, unreadable });
    else if (taken.length > 0) output.data(taken.map(({ plan }) => plan.id).join("\n"));
    return taken.length === runs.length ? 0 : exitCodes.partial;
  },
});

async function continueInBackground(environment: Environment, record: RunRecord, output: Output): Promise<number> {
  const { id, directory } = record.plan;
  await detachRun(environment, runPathsOf(environment), record, { delay: 0 });
  if (output.mode === "json") output.json({ runs: [jsonOf(record)], ignored: [], unreadable: [] });
  else output.data(id);
  output.note(`It continues in the background as run ${id}. Watch it with: ai-runtime attach ${id}`);
  output.note(`Its output goes to ${oneLine(directory)}/output.log; show it with: ai-runtime logs ${id}`);
  return exitCodes.done;
}

const describe = ({ plan, status }: RunRecord, { isTerminal }: Output): string =>
  `${plan.id}  ${oneLine(plan.cwd)}  ${truncate(oneLine(plan.task), isTerminal ? 60 : Infinity)}${status.lastStep ? ` — last: ${oneLine(status.lastStep)}` : ""}`;

const jsonOf = ({ plan, status }: RunRecord): object => ({
  id: plan.id,
  session: plan.sessionId,
  cwd: plan.cwd,
  task: plan.task,
  lastStep: status.lastStep,
});

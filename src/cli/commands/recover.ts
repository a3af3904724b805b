import { restartHosted } from "../../app/detachable.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { detachRun } from "../../app/detach-run.ts";
import { findRecoverable } from "../../app/recover.ts";
import { holdAndRun } from "../../app/resume-run.ts";
import { runPathsOf } from "../../app/start-run.ts";
import type { RunRecord } from "../../core/run-record.ts";
import { Failure } from "../../core/failure.ts";
import { exitCodes } from "../exit-codes.ts";
import { resumeHosted } from "../host-words.ts";
import { oneLine } from "../one-line.ts";
import { runExitCode } from "../run-view.ts";
import { commonArgs, defineVerb } from "../verb.ts";
import { viewFor } from "../view-for.ts";

/** Milliseconds between the starts of many that are taken up at once. */
const interval = 2_000;

export default defineVerb({
  summary: "finds runs that died with the machine or their supervisor, and resumes them",
  details: `A single one is resumed here. With --all each goes on in the background, one after the other. What is done, was stopped or
interrupted by you, or was not started by you on this machine is never touched.`,
  args: {
    all: { type: "boolean", description: "resume all of them, in the background" },
    "dry-run": { type: "boolean", description: "only show them" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime recover", "after a crash"],
    ["ai-runtime recover --all", "after a reboot"],
  ],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const paths = runPathsOf(environment);
    const { runs, ignored } = findRecoverable(paths, environment.cwd);
    for (const name of ignored) {
      output.warn(`ignored .ai-runtime/sessions/${oneLine(name)} of this project: it was not started by you here`);
    }
    const [only] = runs;
    if (args["dry-run"] === true || !only || (runs.length > 1 && args.all !== true)) {
      if (output.mode === "json") output.json({ runs: runs.map(jsonOf), ignored });
      else if (only) output.data(runs.map(describe).join("\n"));
      else output.note("Nothing to recover.");
      if (args["dry-run"] === true) return 0;
      if (!only) return args.all === true ? 0 : exitCodes["not-found"];
      throw new Failure("usage", `${runs.length} runs have died`, {
        hint: "ai-runtime recover --all resumes all of them, ai-runtime resume <id> one.",
      });
    }
    if (args.all !== true) {
      output.note(`Recovering ${describe(only)}`);
      if (only.plan.kind === "interactive") return resumeHosted(environment, only, output);
      const how = { view: viewFor(output), automatic: true, detached: false };
      return runExitCode(await holdAndRun(environment, paths, only, how));
    }
    const taken: RunRecord[] = [];
    for (const record of runs) {
      // One that cannot go on must not keep the others from it.
      try {
        if (record.plan.kind === "interactive") await restartHosted(environment, record);
        else await detachRun(environment, paths, record, { delay: taken.length * interval });
        taken.push(record);
        output.note(`Recovered ${describe(record)}`);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        output.warn(`${error.message}. ${error.hint ?? ""}`);
      }
    }
    if (output.mode === "json") output.json({ runs: taken.map(jsonOf), ignored });
    else if (taken.length > 0) output.data(taken.map(({ plan }) => plan.id).join("\n"));
    return taken.length === runs.length ? 0 : exitCodes.partial;
  },
});

const describe = ({ plan, status }: RunRecord): string =>
  `${plan.id}  ${oneLine(plan.cwd)}  ${oneLine(plan.task).slice(0, 60)}${status.lastStep ? ` — last: ${oneLine(status.lastStep)}` : ""}`;

const jsonOf = ({ plan, status }: RunRecord): object => ({
  id: plan.id,
  session: plan.sessionId,
  cwd: plan.cwd,
  task: plan.task,
  lastStep: status.lastStep,
});

import { adoptSession } from "../../../app/run-records/adopt-session.ts";
import type { Environment } from "../../../app/environment.ts";
import { deliverLeftovers } from "../../../app/notify/notify.ts";
import { ensureDispatcher } from "../../../app/queue/dispatcher.ts";
import { detachRun } from "../../../app/run/detach-run.ts";
import { continueAll } from "../../../app/recovery/continue-all.ts";
import { type BootEvent, bootLog, planAfterBoot, recoverAfterBoot } from "../../../app/recovery/after-boot.ts";
import { findRecoverable } from "../../../app/run-records/recover.ts";
import { holdAndRun } from "../../../app/run/resume-run.ts";
import { runPathsOf } from "../../../app/run-records/register-run.ts";
import type { RunRecord } from "../../../core/run/run-record.ts";
import { Failure } from "../../../core/failure.ts";
import { exitCodes } from "../../exit-codes.ts";
import { describeBoot } from "../../messages/boot-messages.ts";
import { resumeHosted } from "../../messages/host-messages.ts";
import { oneLine } from "../../one-line.ts";
import type { Output } from "../../output.ts";
import { truncate } from "../../table.ts";
import { runExitCode } from "../../run-view/run-view.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";
import { viewFor } from "../../run-view/view-for.ts";

export default defineVerb({
  summary: "finds runs and sessions that died or gave up, and resumes them",
  details: `A run dies with the machine or with its supervisor. It gives up when claude keeps crashing, or when the API fails for longer
than --max-wait; such runs are found for a week. A cclaude is found when it was killed, or lost its terminal at work or at a limit: one
in a terminal continues in a host (ai-runtime attach shows it), a cclaude -p continues in the background. A single run is resumed here.
With --all, everything is resumed in the background, one after the other. Runs and sessions that are done, that you stopped or
interrupted, or that you did not start on this machine are never touched.

ai-runtime install --at-login calls it with --all --boot: it then continues only what the last reboot interrupted, as the setting
recoverAtLogin says and outside of the quiet hours, once per boot, and leaves runs that gave up to you.`,
  args: {
    all: { type: "boolean", description: "resume all of them in the background" },
    boot: { type: "boolean", description: "with --all: only what the last reboot interrupted, once per boot" },
    "dry-run": { type: "boolean", description: "only list them" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime recover", "resumes the run that died in a crash"],
    ["ai-runtime recover --all", "resumes all runs after a reboot"],
    ["ai-runtime recover --all --boot --dry-run", "lists what the start at login would continue now"],
  ],
  async run(args, output, { environment }) {
    if (args["dry-run"] !== true) {
      deliverLeftovers(environment);
      ensureDispatcher(environment);
    }
    if (args.boot === true) {
      if (args.all !== true) throw new Failure("usage", "--boot needs --all");
      return recoverBoot(environment, output, args["dry-run"] === true);
    }
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
    await continueAll(environment, paths, runs, {
      onContinued(record) {
        taken.push(record);
        output.note(`Recovered ${describe(record, output)}`);
      },
      onFailed: (_, { message, hint = "" }) => output.warn(`${message}. ${hint}`),
    });
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

/** Tells the user, and the log that the start at login names. */
async function recoverBoot(environment: Environment, output: Output, dryRun: boolean): Promise<number> {
  const log = dryRun ? undefined : bootLog(environment);
  const tell = (event: BootEvent): void => {
    const line = describeBoot(event, environment.now());
    log?.(line);
    output.note(line);
  };
  const { policy, continued, left, failed, unreadable, end } = dryRun
    ? planAfterBoot(environment)
    : await recoverAfterBoot(environment, tell);
  if (output.mode === "json") {
    const boot = { policy, end, left: left.map(jsonOf), failed: failed.map(jsonOf) };
    output.json({ runs: continued.map(jsonOf), ignored: [], unreadable, boot });
  } else if (continued.length > 0) {
    output.data(continued.map((run) => (dryRun ? describe(run, output) : run.plan.id)).join("\n"));
  } else if (dryRun) output.note(end === null ? "This boot is already recovered." : "Nothing to recover.");
  if (end === "interrupted") return exitCodes.stopped;
  return failed.length > 0 ? exitCodes.partial : exitCodes.done;
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

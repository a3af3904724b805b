import type { ListedRun } from "../../app/run-records/list-runs.ts";
import type { HostedStatus } from "../../app/run-records/list-runs.ts";
import { nextCommand, stateOfRun } from "../../app/run-records/list-runs.ts";
import { formatDuration, formatTime } from "../format.ts";
import { oneLine } from "../one-line.ts";
import type { Output } from "../output.ts";
import type { ListPlace } from "./run-list.ts";
import { describeState, shortPath, stateSince, titleOf } from "./state-words.ts";

/** One run, a line for each fact that is known. */
export function renderDetails(run: ListedRun, output: Output, place: ListPlace): string[] {
  const facts = factsOf(run, place).filter(([, value]) => value !== "");
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${output.colors.dim(name.padEnd(width))}  ${oneLine(value)}`);
}

function factsOf(run: ListedRun, { home, now }: ListPlace): [name: string, value: string][] {
  const { plan, status } = run.record;
  const at = (time: number): string => `${formatTime(time, now)} (${formatDuration(now - time)} ago)`;
  const title = titleOf(run);
  return [
    ["run", plan.id],
    ["kind", plan.kind],
    ["title", title],
    ["task", title === plan.task ? "" : plan.task],
    ["state", `${describeState(run, now)}, since ${at(stateSince(run))}`],
    ["cause", status.phase === "done" ? (status.cause ?? "") : ""],
    ["terminals", run.hosted ? describeTerminals(run.hosted, at) : ""],
    ["directory", shortPath(plan.cwd, home)],
    ["session", run.sessionId],
    ["started", at(plan.created)],
    ["starts", String(status.attempts)],
    ["last step", status.lastStep ?? ""],
    ["cost", status.costUsd >= 0.005 ? `$${status.costUsd.toFixed(2)}` : ""],
    ["records", plan.directory],
    ["next", nextCommand(plan.id, run.sessionId, stateOfRun(run))],
  ];
}

function describeTerminals({ terminals, hangup }: HostedStatus, at: (time: number) => string): string {
  if (!hangup) return terminals === 0 ? "none; it continues in the background" : `${terminals} attached`;
  const what = {
    finish: "it finishes its work and then exits",
    keep: "it stays until you attach",
    end: "it ends",
  }[hangup.policy];
  return `the last one was lost ${at(hangup.time)}; ${what}`;
}

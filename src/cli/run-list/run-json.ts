import { describeDenial } from "../../app/explain-denied.ts";
import type { HostedStatus, ListedRun, ListedRuns } from "../../app/run-records/list-runs.ts";
import { titleOf } from "./state-words.ts";

/** `status --json`: see docs/JSON.md. */
export function jsonOfRuns({ runs, older, unreadable, denied }: ListedRuns): object {
  return { runs: runs.map(jsonOfRun), older, unreadable, problems: denied ? [describeDenial(denied)] : [] };
}

function jsonOfRun(run: ListedRun): object {
  const { plan, status } = run.record;
  return {
    id: plan.id,
    kind: plan.kind,
    origin: plan.cclaude ? "cclaude" : "run",
    state: run.lost === true ? "lost" : run.died ? "died" : status.phase,
    title: titleOf(run) || null,
    claude: run.hosted ? jsonOfHosted(run.hosted) : null,
    task: plan.task,
    cwd: plan.cwd,
    session: run.sessionId,
    permissionMode: plan.permissionMode,
    created: iso(plan.created),
    since: iso(status.since),
    until: iso(status.until),
    cause: status.cause,
    steps: status.steps,
    lastStep: status.lastStep,
    attempts: status.attempts,
    costUsd: status.costUsd,
    directory: plan.directory,
  };
}

function jsonOfHosted({ state, since, terminals, hangup }: HostedStatus): object {
  return {
    state: state.kind,
    since: iso(since),
    background: state.kind === "idle" && state.background,
    about: state.kind === "asking" ? state.about : null,
    until: state.kind === "limit" ? iso(state.until) : null,
    held: state.kind === "limit" ? state.held : null,
    terminals,
    hangup: hangup && { policy: hangup.policy, since: iso(hangup.time) },
  };
}

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

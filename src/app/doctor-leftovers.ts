import { shellCommand } from "../claude/hook-command.ts";
import { findDeafSockets } from "../io/deaf-sockets.ts";
import { listDirectory } from "../io/read-file.ts";
import { lockWithin } from "../store/lock.ts";
import type { Environment } from "./environment.ts";
import { doubtful, type Finding, good } from "./finding.ts";
import { listRuns } from "./list-runs.ts";
import { runPathsOf } from "./start-run.ts";
import type { Status } from "./status.ts";

export async function examineLeftovers(environment: Environment, status: Status): Promise<Finding[]> {
  return [
    ...(await examineLocks(environment)),
    ...(await examineSockets(environment)),
    ...examineRuns(environment),
    ...examineProblems(environment, status),
  ];
}

/** Hooks hold a lock for a moment. The kernel takes it from the dead, so one that stays is held by a process that hangs. */
const patience = 3_000;

async function examineLocks({ paths }: Environment): Promise<Finding[]> {
  const name = "locks";
  const findings: Finding[] = [];
  for (const file of listDirectory(paths.locks).filter((each) => each.endsWith(".lock"))) {
    const path = `${paths.locks}/${file}`;
    const lock = await lockWithin(path, patience);
    if (lock === "busy")
      findings.push(doubtful(name, `${path} is held by a process that may hang`, shellCommand("lsof", [path])));
    else lock.release();
  }
  return findings.length > 0 ? findings : [good(name, "none is held by a process that hangs")];
}

/** They do no harm: whoever needs the name takes it. But they stand for a host that was killed. */
async function examineSockets({ variables }: Environment): Promise<Finding[]> {
  const name = "sockets";
  const deaf = await findDeafSockets(variables);
  if (deaf.length === 0) return [good(name, "none was left behind by a host that was killed")];
  return deaf.map((path) =>
    doubtful(name, `${path} was left behind by a host that was killed`, shellCommand("rm", [path])),
  );
}

function examineRuns(environment: Environment): Finding[] {
  const name = "runs";
  const { runs, unreadable } = listRuns(runPathsOf(environment), 0);
  const died = runs.filter((run) => run.died);
  const findings = [
    ...died.map(({ record }) =>
      doubtful(name, `run ${record.plan.id} has died with its work on disk`, `ai-runtime resume ${record.plan.id}`),
    ),
    ...unreadable.map((id) => doubtful(name, `the record of run ${id} cannot be read`, "ai-runtime status")),
  ];
  return findings.length > 0 ? findings : [good(name, "none has died")];
}

/** What hooks and maintenance could not do, and settings of ours that were not understood. */
function examineProblems({ paths }: Environment, { settingProblems, loggedProblems }: Status): Finding[] {
  return [
    ...settingProblems.map((problem) => doubtful("settings", problem, shellCommand("vi", [paths.config]))),
    ...loggedProblems.map((problem) => doubtful("log", problem, shellCommand("less", [paths.log]))),
    ...(loggedProblems.length === 0 ? [good("log", "no hook has failed in the last week")] : []),
  ];
}

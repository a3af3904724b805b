import { shellCommand } from "../../claude/hooks/hook-command.ts";
import { makeRunId } from "../../core/run/run-id.ts";
import { findDeadSockets } from "../../io/socket/dead-sockets.ts";
import { listSocketDirectories, rejectedSocketDirectories } from "../../io/socket/socket-path.ts";
import { listDirectory } from "../../io/files/read-file.ts";
import { lockWithin } from "../../store/lock.ts";
import { runRoot } from "../../store/runs/run-paths.ts";
import type { Environment } from "../environment.ts";
import { failed, warning, type CheckResult, ok } from "./check-result.ts";
import { listRuns } from "../run-records/list-runs.ts";
import type { Status } from "./status.ts";

export async function checkLeftovers(environment: Environment, status: Status): Promise<CheckResult[]> {
  return [
    ...(await checkLocks(environment)),
    ...(await checkSockets(environment)),
    ...checkRuns(environment),
    ...checkProblems(environment, status),
  ];
}

/** Hooks hold a lock only briefly, and the kernel releases the locks of dead processes: a lock held longer means a hung process. */
const lockTimeoutMs = 3_000;

async function checkLocks({ paths }: Environment): Promise<CheckResult[]> {
  const name = "locks";
  const results: CheckResult[] = [];
  for (const file of listDirectory(paths.locks).filter((each) => each.endsWith(".lock"))) {
    const path = `${paths.locks}/${file}`;
    const lock = await lockWithin(path, lockTimeoutMs);
    if (!lock) results.push(warning(name, `a process that may be hung holds ${path}`, shellCommand("lsof", [path])));
    else lock.release();
  }
  return results.length > 0 ? results : [ok(name, "no lock is held by a hung process")];
}

/**
 * Dead sockets are harmless, because a new host replaces them, but they show that a host was killed. A directory that hosts pass
 * over may belong to a user who wants to stand in for a host.
 */
async function checkSockets({ variables, home }: Environment): Promise<CheckResult[]> {
  const name = "sockets";
  const directories = listSocketDirectories(variables, runRoot(variables, home));
  const rejected = rejectedSocketDirectories(
    makeRunId(0, () => 0),
    directories,
  );
  const results = [
    ...rejected.map(({ directory, why }) =>
      warning(name, `hosts do not put their sockets here: ${directory} ${why}`, shellCommand("ls", ["-ld", directory])),
    ),
    ...(await findDeadSockets(directories)).map((path) =>
      warning(name, `a killed host left ${path} behind`, shellCommand("rm", [path])),
    ),
  ];
  return results.length > 0 ? results : [ok(name, "no killed host left a socket behind")];
}

function checkRuns(environment: Environment): CheckResult[] {
  const name = "runs";
  const { runs, unreadable, denied } = listRuns(environment, 0);
  if (denied) return [failed(name, denied.message, denied.fix)];
  const died = runs.filter((run) => run.died);
  const results = [
    ...died.map(({ record: { plan }, lost }) => {
      const what = plan.cclaude ? `session ${plan.id} of cclaude was interrupted` : `run ${plan.id} died`;
      return lost === true
        ? warning(name, `${what} and cannot be resumed`, `ai-runtime stop ${plan.id}`)
        : warning(name, `${what}; its work is on disk`, `ai-runtime resume ${plan.id}`);
    }),
    ...unreadable.map((id) => warning(name, `the record of run ${id} cannot be read`, "ai-runtime status")),
  ];
  return results.length > 0 ? results : [ok(name, "no run died")];
}

/** Logged problems of hooks and maintenance, and invalid settings. */
function checkProblems({ paths }: Environment, { settingProblems, loggedProblems }: Status): CheckResult[] {
  return [
    ...settingProblems.map((problem) => warning("settings", problem, shellCommand("vi", [paths.config]))),
    ...loggedProblems.map((problem) => warning("log", problem, shellCommand("less", [paths.log]))),
    ...(loggedProblems.length === 0 ? [ok("log", "no hook failed in the last week")] : []),
  ];
}

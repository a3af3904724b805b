import { hasFleetRunEnded } from "../../core/fleet/fleet-run.ts";
import { messageOf } from "../../core/message-of.ts";
import { isRunId } from "../../core/run/run-id.ts";
import { readFleetRun } from "../../hub/fleet-runs.ts";
import { hasLiveChild, isHeld, readIfWhole, removeRun } from "../../store/runs/run-registry.ts";
import type { Environment } from "../environment.ts";
import type { Hub } from "../hub/open-hub.ts";
import { logProblem } from "../program-log.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { saveFiles } from "./file-keeper.ts";
import { FleetWorkspace, listWorktrees } from "./fleet-workspace.ts";
import { openTask } from "./sealed.ts";

/** Removes the working tree of a run and its local record. The hub has both. */
export async function forgetLocally(environment: Environment, workspace: FleetWorkspace, id: string): Promise<void> {
  await workspace.remove();
  removeRun(runPathsOf(environment), id);
}

/** Removes what workers of this machine left of runs that have ended, or that another machine continues. */
export async function sweepWorktrees(environment: Environment, hub: Hub, busy: ReadonlySet<string>): Promise<number> {
  const paths = runPathsOf(environment);
  let removed = 0;
  for (const id of listWorktrees(paths)) {
    if (!isRunId(id) || busy.has(id)) continue;
    const local = readIfWhole(paths, id);
    if (local && (isHeld(local) || hasLiveChild(local))) continue;
    const row = await readFleetRun(hub.connection, id);
    const isElsewhere = row?.state === "running" && row.machine !== null && row.machine !== hub.config.machine;
    if (row && !hasFleetRunEnded(row.state) && !isElsewhere) continue;
    try {
      // A killed worker may have left files that no mark has.
      if (local) await saveFiles(environment, local.plan.sessionId, local.plan.cwd);
      const repo = row ? openTask(hub.sealer, row).repo : null;
      await forgetLocally(environment, new FleetWorkspace(environment, id, repo), id);
      removed++;
    } catch (error) {
      logProblem(environment, `fleet: the files of run ${id} stay: ${messageOf(error)}`);
    }
  }
  return removed;
}

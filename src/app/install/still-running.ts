import { endProcess } from "../../io/process/end-process.ts";
import type { Environment } from "../environment.ts";
import { isHosted } from "../../store/hosts/host-records.ts";
import { hasLiveChild } from "../../store/runs/run-registry.ts";
import { hostRecords } from "../host/registry.ts";
import { isHeld, listActive, readIfWhole } from "../run-records/find-run.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { stopRun } from "../run-records/stop-run.ts";
import { listServices } from "../service/services.ts";
import { uninstallService } from "../service/uninstall-service.ts";

/** What an uninstall would leave without its hooks or its program. A service counts while it is installed: it starts again. */
export interface StillRunning {
  readonly kind: "host" | "run" | "service";
  readonly id: string;
  /** Where it works. */
  readonly directory: string;
}

export function listStillRunning(environment: Environment): StillRunning[] {
  const services = listServices(environment).map(({ slug, workspace }): StillRunning => ({
    kind: "service",
    id: slug,
    directory: workspace,
  }));
  const hosts = hostRecords(environment)
    .all()
    .filter(isHosted)
    .map(({ plan }): StillRunning => ({ kind: "host", id: plan.id, directory: plan.directory }));
  const runs = listActive(runPathsOf(environment))
    // A session of cclaude needs nothing of ours but the program that it already runs.
    .filter((run) => !run.plan.cclaude && (isHeld(run) || hasLiveChild(run)))
    .map(({ plan }): StillRunning => ({ kind: "run", id: plan.id, directory: plan.cwd }));
  // A host has the id of its run, and a running service is a host with the id of the service.
  return [...new Map([...runs, ...hosts, ...services].map((each) => [each.id, each])).values()];
}

/** Claude gets ten seconds to end, and the host the rest. */
const hostTimeoutMs = 20_000;

/** Stops a run or host for good; a service is stopped and removed. */
export async function stopRunning(environment: Environment, { kind, id }: StillRunning): Promise<void> {
  if (kind === "service") {
    await uninstallService(environment, id);
    return;
  }
  const paths = runPathsOf(environment);
  if (readIfWhole(paths, id)) {
    await stopRun(environment, paths, id);
    return;
  }
  const host = hostRecords(environment).read(id)?.running?.host;
  if (host) await endProcess(host, hostTimeoutMs);
}

import type { Environment } from "../environment.ts";
import { type Removed, removeInstalled } from "./remove-installed.ts";
import { serviceHasEnded, withServiceLock } from "./service-lock.ts";
import { removeTraces } from "./service-traces.ts";
import { findService } from "./services.ts";
import { runPathsOf } from "../run-records/register-run.ts";

export interface RemovedService extends Removed {
  readonly slug: string;
}

/** Stops a service and removes all its files. */
export function uninstallService(environment: Environment, given: string | undefined): Promise<RemovedService> {
  const record = findService(environment, given);
  const { slug } = record;
  const paths = runPathsOf(environment);
  return withServiceLock(paths, slug, async () => {
    const removed = await removeInstalled(environment, record, {
      what: `service ${slug}`,
      hasEnded: () => serviceHasEnded(paths, slug),
      removeTraces: () => removeTraces(environment, record),
    });
    return { slug, ...removed };
  });
}

import { maxOrphanAgeMs } from "../../core/run/orphaned-session.ts";
import { removeSessionRecord, sweepSessionEvents } from "../../store/runs/session-registry.ts";
import { bestEffort } from "../best-effort.ts";
import type { Environment } from "../environment.ts";
import { isInterrupted, listActive } from "./find-run.ts";
import { readOrphanedSession } from "./read-orphaned-session.ts";
import { runPathsOf } from "./register-run.ts";

const dayMs = 86_400_000;

/** Removes the records of dead cclaudes whose session ended in an orderly way, or is too old to be continued. */
export function sweepOrphanedSessions(environment: Environment): void {
  const paths = runPathsOf(environment);
  const sweep = (): void => {
    for (const record of listActive(paths)) {
      if (!record.plan.cclaude || !isInterrupted(record)) continue;
      const { state, lastSeen } = readOrphanedSession(environment, paths, record);
      const isOld = environment.now() - lastSeen > maxOrphanAgeMs;
      if (state === "over" || (state === "lost" && isOld)) removeSessionRecord(paths, record.plan.id);
    }
    sweepSessionEvents(paths, environment.now() - dayMs);
  };
  bestEffort(environment, sweep, undefined);
}

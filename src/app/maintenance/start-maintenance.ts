import { isMaintenanceDue } from "../../core/snapshot/retention.ts";
import { startDetached } from "../../io/process/start-detached.ts";
import { readMaintenance, writeMaintenance } from "../../store/snapshots/maintenance-record.ts";
import type { Environment } from "../environment.ts";
import { ownExecutable, sessionSnapshotCommand } from "../own-executable.ts";

/** Starts maintenance in a detached process, so that the hook does not wait for it. */
export function startMaintenanceWhenDue({ paths, variables, now }: Environment): void {
  const record = readMaintenance(paths);
  // A new installation has nothing to maintain: the first interval starts now.
  if (record.lastRun === 0) return writeMaintenance(paths, { ...record, lastRun: now() });
  if (!isMaintenanceDue(record.lastRun, now())) return;
  startDetached([...sessionSnapshotCommand(ownExecutable()), "maintain"], variables, paths.root);
}

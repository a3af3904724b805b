import { isMaintenanceDue } from "../core/retention.ts";
import { startDetached } from "../io/start-detached.ts";
import { readMaintenance, writeMaintenance } from "../store/maintenance-record.ts";
import type { Environment } from "./environment.ts";
import { ownExecutable, sessionSnapshotCommand } from "./own-executable.ts";

/** In a process of its own: nobody waits for it. */
export function startMaintenanceWhenDue({ paths, variables, now }: Environment): void {
  const record = readMaintenance(paths);
  // Where nothing was ever kept there is nothing cold: the first day is counted from here.
  if (record.lastRun === 0) return writeMaintenance(paths, { ...record, lastRun: now() });
  if (!isMaintenanceDue(record.lastRun, now())) return;
  startDetached([...sessionSnapshotCommand(ownExecutable()), "maintain"], variables, paths.root);
}

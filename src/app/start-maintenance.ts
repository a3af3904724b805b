import { startDetached } from "../io/start-detached.ts";
import { readMaintenance, writeMaintenance } from "../store/maintenance-record.ts";
import type { Environment } from "./environment.ts";
import { ownExecutable, sessionSnapshotCommand } from "./own-executable.ts";

const day = 86_400_000;

/** At most once a day, in a process of its own: nobody waits for it. */
export function startMaintenanceWhenDue({ paths, variables, now }: Environment): void {
  const record = readMaintenance(paths);
  // Where nothing was ever kept there is nothing cold: the first day is counted from here.
  if (record.lastRun === 0) return writeMaintenance(paths, { ...record, lastRun: now() });
  const since = now() - record.lastRun;
  // A last run in the future means that the clock was set back, and is no reason to wait for it.
  if (since >= 0 && since < day) return;
  startDetached([...sessionSnapshotCommand(ownExecutable()), "maintain"], variables, paths.root);
}

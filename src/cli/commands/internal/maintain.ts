/** Internal: the SessionEnd hook starts it at most once a day. `clean` does the same and reports it. */
export async function runMaintainCommand(): Promise<void> {
  (await import("../../../app/maintenance/background-maintenance.ts")).maintainInBackground(process.env);
  const { currentEnvironment } = await import("../../../app/environment.ts");
  (await import("../../../app/run-records/sweep-orphaned-sessions.ts")).sweepOrphanedSessions(
    currentEnvironment(process.env),
  );
}

/** Internal: the SessionEnd hook starts it at most once a day. `clean` does the same and reports it. */
export async function runMaintainCommand(): Promise<void> {
  (await import("../../../app/maintenance/background-maintenance.ts")).maintainInBackground(process.env);
  const environment = (await import("../../../app/environment.ts")).currentEnvironment(process.env);
  (await import("../../../app/run-records/sweep-orphaned-sessions.ts")).sweepOrphanedSessions(environment);
  await (await import("../../../app/search/background-index.ts")).continueInBackground(environment);
}

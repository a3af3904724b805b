/** Internal: an install starts it in the background. */
export async function runBackfillCommand(): Promise<void> {
  const { currentEnvironment } = await import("../../../app/environment.ts");
  const { backfillInBackground } = await import("../../../app/search/background-index.ts");
  await backfillInBackground(currentEnvironment(process.env));
}

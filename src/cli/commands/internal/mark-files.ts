/** Internal: a hook starts it for a file mark that takes longer than Claude should wait. */
export async function runMarkFilesCommand(request: string): Promise<void> {
  await (await import("../../../app/files/mark-worker.ts")).runMarkWorker(process.env, request);
}

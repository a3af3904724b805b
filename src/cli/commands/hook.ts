/** Never disturbs Claude: whatever happens, exit 0 and nothing on the streams. What went wrong is in the log. */
export async function runHookCommand(): Promise<void> {
  const leave = (): never => process.exit(0);
  process.on("uncaughtException", leave);
  process.on("unhandledRejection", leave);
  try {
    const { handleHook } = await import("../../app/hook.ts");
    await handleHook(process.env);
  } finally {
    leave();
  }
}

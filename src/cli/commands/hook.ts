import type { HookJobs } from "../../app/hook.ts";

/** Never disturbs Claude: whatever happens, exit 0, and nothing on the streams but what an event wants to hear. */
export async function runHookCommand(jobs?: HookJobs): Promise<void> {
  const leave = (): never => process.exit(0);
  process.on("uncaughtException", leave);
  process.on("unhandledRejection", leave);
  try {
    const { handleHook } = await import("../../app/hook.ts");
    const answer = await handleHook(process.env, jobs);
    if (answer !== undefined) await new Promise((written) => process.stdout.write(`${answer}\n`, written));
  } finally {
    leave();
  }
}

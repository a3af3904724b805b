import type { HookJobs } from "../../../app/hook/hook.ts";

/** Never disturbs Claude: always exits with 0, and prints only the answer to an event. */
export async function runHookCommand(jobs?: HookJobs): Promise<void> {
  const leave = (): never => process.exit(0);
  process.on("uncaughtException", leave);
  process.on("unhandledRejection", leave);
  try {
    const { handleHook } = await import("../../../app/hook/hook.ts");
    const answer = await handleHook(process.env, jobs);
    if (answer !== undefined) await new Promise((written) => process.stdout.write(`${answer}\n`, written));
  } finally {
    leave();
  }
}

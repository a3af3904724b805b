import { Failure } from "../core/failure.ts";
import type { RunRecord } from "../core/run-record.ts";
import { makeDirectory } from "../io/durable.ts";
import { endProcess } from "../io/end-process.ts";
import { type Lock, lockWithin } from "../store/lock.ts";
import type { RunPaths } from "../store/run-paths.ts";

/** Long enough for one that is just ending, and for a look by somebody else. */
const patience = 2_000;
const grace = 10_000;

/** The kernel keeps the account of who holds a run; it ends with the process, however that ends. */
export async function holdRun(paths: RunPaths, { plan, status }: RunRecord): Promise<Lock> {
  makeDirectory(paths.locks);
  const lock = await lockWithin(paths.lock(plan.id), patience);
  if (lock !== "busy") return lock;
  const who = status.supervisor ? ` by process ${status.supervisor.pid}` : "";
  throw new Failure("locked", `run ${plan.id} is being worked on${who}`, {
    hint: `Watch it with: ai-runtime attach ${plan.id}`,
  });
}

/**
 * A claude whose supervisor was killed may live on, and two on one session would part it into branches. It was started for this
 * run, by us, and is known for certain; it is ended before another takes its place.
 */
export async function endLeftChild({ status }: RunRecord): Promise<void> {
  if (status.child) await endProcess(status.child, grace);
}

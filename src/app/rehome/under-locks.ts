import type { RehomeStep, StepOwner } from "../../core/rehome/rehome-record.ts";
import { type Lock, lockOrFail, lockWithin } from "../../store/lock.ts";
import { treeLock } from "../../store/trees/tree-paths.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import type { Environment } from "../environment.ts";
import { runPathsOf } from "../run-records/register-run.ts";

const lockTimeoutMs = 10_000;

/** Performs the steps in order, those of one owner under its lock, so that no hook and no supervisor writes meanwhile. */
export async function underLocks(
  environment: Environment,
  steps: readonly RehomeStep[],
  perform: (step: RehomeStep) => void,
): Promise<void> {
  let held: { name: string | undefined; lock: Lock | undefined } = { name: undefined, lock: undefined };
  try {
    for (const step of steps) {
      const name = lockOf(environment, step.owner);
      if (name !== held.name) {
        held.lock?.release();
        held = { name: undefined, lock: undefined };
        held = { name, lock: name === undefined ? undefined : await take(environment, name, step.owner) };
      }
      perform(step);
    }
  } finally {
    held.lock?.release();
  }
}

async function take(environment: Environment, path: string, owner: StepOwner): Promise<Lock> {
  makeDirectory(environment.paths.locks);
  makeDirectory(runPathsOf(environment).locks);
  const what = "id" in owner ? `${owner.kind} ${owner.id}` : owner.kind;
  return lockOrFail(await lockWithin(path, lockTimeoutMs), `another process is working on ${what}`);
}

function lockOf(environment: Environment, owner: StepOwner): string | undefined {
  switch (owner.kind) {
    case "session":
      return environment.paths.lock(owner.id);
    case "run":
      return runPathsOf(environment).lock(owner.id);
    case "tree":
      return treeLock(environment.paths, owner.workspace);
    case "checkpoint":
      return environment.paths.checkpointLock;
    case "host":
    case "service":
    case "none":
      return undefined;
  }
}

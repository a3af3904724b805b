import { Failure } from "../core/failure.ts";
import { makeDirectory } from "../io/durable.ts";
import { lockWithin, tryLock } from "../store/lock.ts";
import type { RunPaths } from "../store/run-paths.ts";

const patience = 5_000;

/** Runs the body while nobody else installs or removes this service; leaves no lock file behind. */
export async function withServiceLock<T>(paths: RunPaths, slug: string, body: () => Promise<T>): Promise<T> {
  makeDirectory(paths.locks);
  const lock = await lockWithin(paths.lock(`install-${slug}`), patience);
  if (lock === "busy") throw new Failure("locked", `another command is working on service ${slug}`);
  try {
    return await body();
  } finally {
    lock.discard();
  }
}

/** False while a process of the service lives, which holds the lock of its name. The lock file is gone afterwards. */
export function serviceHasEnded(paths: RunPaths, slug: string): boolean {
  makeDirectory(paths.locks);
  const lock = tryLock(paths.lock(slug));
  if (lock === "busy") return false;
  lock.discard();
  return true;
}

import { makeDirectory } from "../../io/durable/durable.ts";
import { lockOrFail, lockWithin, tryLock } from "../../store/lock.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";

const lockTimeoutMs = 5_000;

/** Prevents two installs or removals of the same service at once. Removes the lock file afterwards. */
export async function withServiceLock<T>(paths: RunPaths, slug: string, body: () => Promise<T>): Promise<T> {
  makeDirectory(paths.locks);
  const lock = lockOrFail(
    await lockWithin(paths.lock(`install-${slug}`), lockTimeoutMs),
    `another command is working on service ${slug}`,
  );
  try {
    return await body();
  } finally {
    lock.discard();
  }
}

/** A running service holds the lock of its name. When it has ended, this also removes the lock file. */
export function serviceHasEnded(paths: RunPaths, slug: string): boolean {
  makeDirectory(paths.locks);
  const lock = tryLock(paths.lock(slug));
  if (!lock) return false;
  lock.discard();
  return true;
}

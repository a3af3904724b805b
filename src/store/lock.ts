import { Failure } from "../core/failure.ts";
import { type FileLock, tryFileLock } from "../io/files/file-lock.ts";

// The kernel releases a lock when the process that holds it ends for any reason, so a lock is never stale.

export type Lock = FileLock;
export type Locked<Result> = { readonly state: "done"; readonly value: Result } | { readonly state: "busy" };

const maxPollPauseMs = 50;

/** Undefined while another process holds the lock. */
export const tryLock = (path: string): Lock | undefined => tryFileLock(path);

/** Waits for the lock and polls less and less often; undefined when the time is over. */
export async function lockWithin(path: string, milliseconds: number): Promise<Lock | undefined> {
  const deadline = performance.now() + milliseconds;
  for (let pause = 1; ; pause = Math.min(pause * 2, maxPollPauseMs)) {
    const lock = tryLock(path);
    const left = deadline - performance.now();
    if (lock || left <= 0) return lock;
    await Bun.sleep(Math.min(pause, left));
  }
}

/** The lock, or a failure of kind `locked` when `tryLock` or `lockWithin` did not get it. */
export function lockOrFail(lock: Lock | undefined, message: string, hint = "Try again in a moment."): Lock {
  if (lock) return lock;
  throw new Failure("locked", message, { hint });
}

/** Runs the body while holding the lock. By default it does not wait for another holder. */
export async function withLock<Result>(
  path: string,
  body: () => Result | Promise<Result>,
  { waitMilliseconds = 0 }: { waitMilliseconds?: number } = {},
): Promise<Locked<Result>> {
  const lock = await lockWithin(path, waitMilliseconds);
  if (!lock) return { state: "busy" };
  try {
    return { state: "done", value: await body() };
  } finally {
    lock.release();
  }
}

/** Like `withLock`, but fails with the message when another process holds the lock for too long. */
export async function withLockOrFail<Result>(
  path: string,
  body: () => Result | Promise<Result>,
  { waitMilliseconds, message }: { waitMilliseconds: number; message: string },
): Promise<Result> {
  const lock = lockOrFail(await lockWithin(path, waitMilliseconds), message);
  try {
    return await body();
  } finally {
    lock.release();
  }
}

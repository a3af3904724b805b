import { type FileLock, tryFileLock } from "../io/file-lock.ts";

// The kernel releases a lock when its holder dies, however it dies; so there is no such thing as a stale one.

export type Lock = FileLock;
export type Locked<Result> = { readonly state: "done"; readonly value: Result } | { readonly state: "busy" };

export const tryLock = (path: string): Lock | "busy" => tryFileLock(path);

/** Waits for the lock, asking ever less often. */
export async function lockWithin(path: string, milliseconds: number): Promise<Lock | "busy"> {
  const deadline = performance.now() + milliseconds;
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    const lock = tryLock(path);
    const left = deadline - performance.now();
    if (lock !== "busy" || left <= 0) return lock;
    await Bun.sleep(Math.min(pause, left));
  }
}

/** Runs the body while holding the lock; by default the loser leaves at once. */
export async function withLock<Result>(
  path: string,
  body: () => Result | Promise<Result>,
  { waitMilliseconds = 0 }: { waitMilliseconds?: number } = {},
): Promise<Locked<Result>> {
  const lock = await lockWithin(path, waitMilliseconds);
  if (lock === "busy") return { state: "busy" };
  try {
    return { state: "done", value: await body() };
  } finally {
    lock.release();
  }
}

export interface WaitOptions {
  /** Called at the start and about once a second, with the milliseconds that are left. */
  readonly onTick?: (left: number) => void;
  /** Ends it in the place of Ctrl-C. */
  readonly signal?: AbortSignal;
}

const longestPause = 30_000;

/**
 * Waits for a moment of the wall clock, in milliseconds since 1970: a machine that slept, or whose clock was set, wakes up to
 * the right time. Ctrl-C ends it.
 */
export async function waitUntil(
  moment: number,
  { onTick, signal }: WaitOptions = {},
): Promise<"reached" | "interrupted"> {
  const interrupted = Promise.withResolvers<"interrupted">();
  const interrupt = (): void => interrupted.resolve("interrupted");
  if (signal) signal.addEventListener("abort", interrupt, { once: true });
  else process.on("SIGINT", interrupt);
  try {
    if (signal?.aborted) return "interrupted";
    for (let left = moment - Date.now(); left > 0; left = moment - Date.now()) {
      onTick?.(left);
      const pause = Math.min(left, onTick ? 1_000 : longestPause);
      // Not Bun.sleep: the process would outlive an interrupted wait by what is left of the pause.
      const slept = Promise.withResolvers<"slept">();
      const timer = setTimeout(() => slept.resolve("slept"), pause);
      const first = await Promise.race([interrupted.promise, slept.promise]).finally(() => clearTimeout(timer));
      if (first === "interrupted") return "interrupted";
    }
    return "reached";
  } finally {
    signal?.removeEventListener("abort", interrupt);
    process.off("SIGINT", interrupt);
  }
}

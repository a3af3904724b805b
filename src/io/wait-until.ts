export interface WaitOptions {
  /** Called at the start and about once a second, with the remaining milliseconds. */
  readonly onTick?: (left: number) => void;
  /** Ends the wait, like Ctrl-C. */
  readonly signal?: AbortSignal;
}

const maxPauseMs = 30_000;

/**
 * Waits for a wall-clock time, in milliseconds since 1970: correct also when the machine slept or its clock was set. Ctrl-C
 * ends the wait.
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
      const pause = Math.min(left, onTick ? 1_000 : maxPauseMs);
      // Not Bun.sleep: the process would outlive an interrupted wait by the rest of the pause.
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

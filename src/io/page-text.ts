/** `unavailable`: there is no such pager, or no shell to start it; nothing was shown. */
export type Paged = "shown" | "unavailable";

/** Shows text in a pager on our terminal. The command may have arguments and quotes: a shell reads it. */
export async function pageText(
  command: string,
  chunks: Iterable<string>,
  variables: Record<string, string | undefined>,
): Promise<Paged> {
  const pager = startPager(command, variables);
  if (!pager) return "unavailable";
  // Ctrl-C is for the pager, which stays; ours would leave it without a parent, in a terminal that is not its own.
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  try {
    for (const chunk of chunks) {
      void pager.stdin.write(chunk);
      await pager.stdin.flush();
      if (pager.exitCode !== null) break;
    }
    await pager.stdin.end();
  } catch (error) {
    // Left before the end, which is its right.
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  } finally {
    await pager.exited;
    process.off("SIGINT", ignore);
  }
  // What a shell says of a command that it cannot find or run.
  return pager.exitCode === 127 || pager.exitCode === 126 ? "unavailable" : "shown";
}

function startPager(command: string, variables: Record<string, string | undefined>) {
  try {
    return Bun.spawn(["sh", "-c", command], {
      // Colours pass, a single screen needs no key to leave, and the text stays on the terminal afterwards.
      env: { LESS: "FRX", ...variables },
      stdio: ["pipe", "inherit", "ignore"],
    });
  } catch {
    return undefined;
  }
}

import type { Variables } from "../../core/variables.ts";

/** `unavailable`: there is no such pager, or no shell to start it; nothing was shown. */
export type Paged = "shown" | "unavailable";

/** Shows text in a pager on our terminal. A shell runs the command, so it may contain arguments and quotes. */
export async function pageText(command: string, chunks: Iterable<string>, variables: Variables): Promise<Paged> {
  const pager = startPager(command, variables);
  if (!pager) return "unavailable";
  // Ctrl-C is for the pager. If we died of it, the pager would lose its parent and its terminal.
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
    // The user quit the pager before the end.
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  } finally {
    await pager.exited;
    process.off("SIGINT", ignore);
  }
  // The exit codes of a shell for a command that it cannot run or find.
  return pager.exitCode === 127 || pager.exitCode === 126 ? "unavailable" : "shown";
}

function startPager(command: string, variables: Variables) {
  try {
    return Bun.spawn(["sh", "-c", command], {
      // Keeps colors, exits if the text fits on one screen, and leaves the text on the terminal.
      env: { LESS: "FRX", ...variables },
      stdio: ["pipe", "inherit", "ignore"],
    });
  } catch {
    return undefined;
  }
}

import { hasDied } from "../app/find-run.ts";
import { followRun } from "../app/follow-run.ts";
import type { Countdown } from "../app/talk.ts";
import { showCountdown } from "./countdown.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Output } from "./output.ts";
import { printChunks } from "./print-chunks.ts";

/** Shows what a run without a terminal has printed, and then what it prints; Ctrl-C leaves it alone. */
export async function followHeadless(
  paths: Parameters<typeof followRun>[0],
  id: string,
  output: Output,
): Promise<number> {
  const left = new AbortController();
  process.once("SIGINT", () => left.abort());
  let countdown: Countdown | undefined;
  const clear = (): void => {
    countdown?.end(false);
    countdown = undefined;
  };
  const follower = {
    print: (text: string) => {
      clear();
      return printChunks(process.stdout, [text]);
    },
    tick: (until: number, remaining: number) => {
      if (!process.stderr.isTTY) return;
      countdown ??= showCountdown(process.stderr, until, Date.now(), { program: "ai-runtime", watches: true });
      countdown.tick(remaining);
    },
  };
  const record = await followRun(paths, id, follower, left.signal);
  clear();
  if (record === "left") {
    output.note(`Left run ${id}; it goes on. Come back with: ai-runtime attach ${id}`);
    return exitCodes.done;
  }
  if (hasDied(record)) {
    output.warn(`run ${id} has died; go on with: ai-runtime recover`);
    return exitCodes.failed;
  }
  return exitCodes[record.status.exit ?? "failed"];
}

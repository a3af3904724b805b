import { hasDied } from "../../app/run-records/find-run.ts";
import { followRun } from "../../app/run-records/follow-run.ts";
import type { Countdown } from "../../app/cclaude/announcer.ts";
import { resumeWith } from "../messages/recovery-messages.ts";
import { showCountdown } from "./countdown.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../output.ts";
import { printChunks } from "../print-chunks.ts";

/** Shows the output of a run without a terminal so far, and then live; Ctrl-C only leaves the view. */
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
  if (record === undefined) {
    output.note(`Left run ${id}, which continues. Come back with: ai-runtime attach ${id}`);
    return exitCodes.done;
  }
  if (hasDied(record)) {
    output.warn(`run ${id} has died. ${resumeWith(`ai-runtime resume ${id}`)}`);
    return exitCodes.failed;
  }
  return exitCodes[record.status.exit ?? "failed"];
}

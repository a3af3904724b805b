import { backfill } from "../../../app/backfill/backfill.ts";
import { readBackfillState } from "../../../app/backfill/backfill-state.ts";
import { planBackfill } from "../../../app/backfill/plan-backfill.ts";
import type { Environment } from "../../../app/environment.ts";
import { exitCodes } from "../../exit-codes.ts";
import { formatBytes, formatDuration } from "../../format.ts";
import type { Output } from "../../output.ts";
import { ProgressBar } from "../../progress-bar.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

const followPauseMs = 200;

export default defineVerb({
  summary: "saves every conversation that Claude still has, before Claude deletes it",
  details: `Install does this in the background; here you see its progress. The newest come first, and it stops at the disk cap
(maxDisk). It can be interrupted at any time: the next backfill continues.`,
  args: { "dry-run": { type: "boolean", description: "show what it would save" }, ...commonArgs },
  examples: [
    ["session-snapshot backfill --dry-run", "shows how much is not saved yet"],
    ["session-snapshot backfill", "saves it, or shows the progress of a running backfill"],
  ],
  async run(args, output, { environment }) {
    if (args["dry-run"]) return printPlan(environment, output);
    const bar = new ProgressBar(output, "saving");
    const onProgress = ({ doneBytes, bytes }: { doneBytes: number; bytes: number }): void => bar.show(doneBytes, bytes);
    const own = await backfill(environment, { isGentle: false, onProgress });
    const record = own ?? (await follow(environment, onProgress));
    bar.clear();
    const { sessions = 0, done = 0, doneBytes = 0, failed = 0, left = 0 } = record ?? {};
    if (output.mode === "json")
      output.json({ dryRun: false, sessions, saved: done - failed, bytes: doneBytes, failed, left });
    if (left > 0)
      output.warn(
        `the disk cap was reached: ${left} of ${sessions} sessions are not saved; raise maxDisk in config.json`,
      );
    if (failed > 0) output.warn(`${failed} sessions could not be saved; session-snapshot status says why`);
    if (sessions === 0) output.note("Every conversation is saved already.");
    else if (left + failed === 0) output.success(`saved ${done} sessions, ${formatBytes(doneBytes)}`);
    return left + failed > 0 ? exitCodes.partial : exitCodes.done;
  },
});

/** Another process is at it: shows how far it is until it ends. */
async function follow(
  environment: Environment,
  onProgress: (record: { doneBytes: number; bytes: number }) => void,
): Promise<ReturnType<typeof readBackfillState>> {
  for (;;) {
    const state = readBackfillState(environment);
    if (!state?.isRunning) return state;
    onProgress(state);
    await Bun.sleep(followPauseMs);
  }
}

function printPlan(environment: Environment, output: Output): number {
  const sessions = planBackfill(environment);
  const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
  const oldest = sessions.at(-1)?.modified ?? null;
  if (output.mode === "json") {
    const since = oldest === null ? null : new Date(oldest).toISOString();
    output.json({ dryRun: true, sessions: sessions.length, bytes, oldest: since });
  } else if (oldest === null) output.note("Every conversation is saved already.");
  else {
    const age = formatDuration(environment.now() - oldest);
    output.note(`would save ${sessions.length} sessions, ${formatBytes(bytes)}; the oldest is ${age} old`);
  }
  return exitCodes.done;
}

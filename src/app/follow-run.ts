import { hasEnded, type RunRecord } from "../core/run-record.ts";
import { readRange, withFile } from "../io/read-file.ts";
import { RunFiles } from "../store/run-files.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { hasDied, readSettled } from "./find-run.ts";

export interface Follower {
  /** Whole lines of what the run has printed. */
  readonly print: (text: string) => void;
  /** About once a second while it waits. */
  readonly tick: (until: number, left: number) => void;
}

const look = 200;

/** Shows what a run has printed, and then what it prints, until it has ended, paused or died; leaving it changes nothing. */
export async function followRun(
  paths: RunPaths,
  id: string,
  follower: Follower,
  left: AbortSignal,
): Promise<RunRecord | "left"> {
  let shown = 0;
  for (let round = 0; ; round++) {
    // The state first: what is printed after it was read comes with the next round.
    const record = readSettled(paths, id);
    shown = printFrom(record, shown, follower);
    const over = hasEnded(record.status.phase) || record.status.phase === "paused" || hasDied(record);
    if (over) return record;
    const { phase, until } = record.status;
    if (phase === "waiting-limit" && until !== null && round % 5 === 0) follower.tick(until, until - Date.now());
    if (left.aborted) return "left";
    await Bun.sleep(look);
  }
}

/** Only whole lines: a character may be half written. */
function printFrom({ plan }: RunRecord, shown: number, { print }: Follower): number {
  const added = withFile(new RunFiles(plan.directory).log, ({ fd, size }) => readRange(fd, shown, size));
  const end = (added?.lastIndexOf(0x0a) ?? -1) + 1;
  if (added && end > 0) print(new TextDecoder().decode(added.subarray(0, end)));
  return shown + end;
}

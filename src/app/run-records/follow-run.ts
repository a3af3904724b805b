import { hasEnded, type RunRecord } from "../../core/run/run-record.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { isSameProcess } from "../../io/process/process.ts";
import { hasDied, readSettled } from "./find-run.ts";
import { readRunLog } from "./run-log.ts";

export interface Follower {
  /** Prints whole lines of the run's output. */
  readonly print: (text: string) => Promise<void>;
  /** Called about once a second while the run waits. */
  readonly tick: (until: number, left: number) => void;
}

const checkIntervalMs = 200;

/**
 * Prints the output of a run so far and then live, until it ends, pauses or dies. Undefined when the user leaves first, which does
 * not affect the run.
 */
export async function followRun(
  paths: RunPaths,
  id: string,
  follower: Follower,
  left: AbortSignal,
): Promise<RunRecord | undefined> {
  let shown = 0;
  for (let round = 0; ; round++) {
    // Reads the state before the log, so that later output is printed in the next round.
    const record = readSettled(paths, id);
    // The supervisor records the end before it prints it, so its output is complete only when it has exited.
    const isPrinting = record.status.supervisor !== null && isSameProcess(record.status.supervisor);
    for (let piece = readRunLog(record, shown); piece && !left.aborted; piece = readRunLog(record, shown)) {
      await follower.print(piece.text);
      shown = piece.end;
    }
    const over = hasEnded(record.status.phase) || record.status.phase === "paused" || hasDied(record);
    if (over && !isPrinting) return record;
    const { phase, until } = record.status;
    if (phase === "waiting-limit" && until !== null && round % 5 === 0) follower.tick(until, until - Date.now());
    if (left.aborted) return undefined;
    await Bun.sleep(checkIntervalMs);
  }
}

import { hasEnded, type RunRecord } from "../core/run-record.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { isSameProcess } from "../io/process.ts";
import { hasDied, readSettled } from "./find-run.ts";
import { readRunLog } from "./run-log.ts";

export interface Follower {
  /** Whole lines of what the run has printed. */
  readonly print: (text: string) => Promise<void>;
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
    // What it has come to is on disk before it is said: whoever is to say it still lives then.
    const isSpeaking = record.status.supervisor !== null && isSameProcess(record.status.supervisor);
    for (let piece = readRunLog(record, shown); piece && !left.aborted; piece = readRunLog(record, shown)) {
      await follower.print(piece.text);
      shown = piece.end;
    }
    const over = hasEnded(record.status.phase) || record.status.phase === "paused" || hasDied(record);
    if (over && !isSpeaking) return record;
    const { phase, until } = record.status;
    if (phase === "waiting-limit" && until !== null && round % 5 === 0) follower.tick(until, until - Date.now());
    if (left.aborted) return "left";
    await Bun.sleep(look);
  }
}

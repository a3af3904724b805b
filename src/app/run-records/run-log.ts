import { plainText } from "../../claude/transcript/plain-text.ts";
import { Failure } from "../../core/failure.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import { fileFacts, lastLineEnd, readRange, withFile } from "../../io/files/read-file.ts";
import { RunFiles } from "../../store/runs/run-files.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { listActiveIds, listEndedIds } from "../../store/runs/run-registry.ts";
import { findRun, readIfWhole, readSettled, startFirstRun } from "./find-run.ts";

/** Best effort: a failed write must not end the run. */
export function appendRunLog({ plan }: RunRecord, text: string): void {
  try {
    new RunFiles(plan.directory).appendLog(text);
  } catch {
    // The journal and the registry have the facts, and their write errors are reported.
  }
}

export interface LogPiece {
  /** Whole lines, since a character may be half written. Without control characters, since other programs may write the file. */
  readonly text: string;
  /** The offset of the next piece. */
  readonly end: number;
}

const maxPieceBytes = 1_000_000;

/** The next piece of a run's output; undefined at its end. */
export function readRunLog({ plan }: RunRecord, from: number): LogPiece | undefined {
  return withFile(new RunFiles(plan.directory).log, ({ fd, size }) => {
    // A shorter file is a new one: the old one was deleted.
    const start = from > size ? 0 : from;
    const limit = Math.min(size, start + maxPieceBytes);
    const lines = lastLineEnd(fd, start, limit);
    // A longer line is shown in parts.
    const end = lines === start && limit - start === maxPieceBytes ? limit : lines;
    return end === start ? undefined : { text: plainText(new TextDecoder().decode(readRange(fd, start, end))), end };
  });
}

/** The given run. Default: the newest run that has a log, else the newest run, whose log is then reported as missing. */
export function findLoggedRun(paths: RunPaths, given: string | undefined, project: string): RunRecord {
  if (given !== undefined) return findRun(paths, given, project);
  // An id starts with its time.
  const newestFirst = [...listActiveIds(paths), ...listEndedIds(paths)].sort().toReversed();
  const found = newestFirst.find((id) => {
    const record = readIfWhole(paths, id);
    return record !== undefined && fileFacts(new RunFiles(record.plan.directory).log) !== undefined;
  });
  const id = found ?? newestFirst[0];
  if (id !== undefined) return readSettled(paths, id);
  throw new Failure("not-found", "there is no log", { hint: startFirstRun });
}

/** Why a run has no log; undefined when it has one, or has not printed anything yet. */
export function whyNoLog({ plan, status }: RunRecord): Failure | undefined {
  const { log } = new RunFiles(plan.directory);
  if (fileFacts(log)) return undefined;
  if (plan.cclaude) {
    return new Failure("not-found", `session ${plan.id} is a cclaude outside a host, which has no log`, {
      hint: "It prints to the terminal or script that started it.",
    });
  }
  if (plan.kind === "interactive") {
    return new Failure("not-found", `run ${plan.id} is a terminal session of Claude, which has no log`, {
      hint: `Show its screen while it runs with: ai-runtime attach ${plan.id}`,
    });
  }
  if (status.attempts === 0) return undefined;
  return new Failure("not-found", `the log of run ${plan.id} is gone: ${log}`, {
    hint: `Show its conversation with: session-snapshot view ${plan.sessionId}`,
  });
}

/** The whole log, in pieces. */
export function* readWholeRunLog(record: RunRecord): Generator<string> {
  for (let piece = readRunLog(record, 0); piece; piece = readRunLog(record, piece.end)) yield piece.text;
}

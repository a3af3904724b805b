import { plainText } from "../claude/plain-text.ts";
import { Failure } from "../core/failure.ts";
import type { RunRecord } from "../core/run-record.ts";
import { fileFacts, lastLineEnd, readRange, withFile } from "../io/read-file.ts";
import { RunFiles } from "../store/run-files.ts";

/** Good to have: a log that cannot be written is no reason to end a run. */
export function appendRunLog({ plan }: RunRecord, text: string): void {
  try {
    new RunFiles(plan.directory).appendLog(text);
  } catch {
    // The journal and the registry have all that matters, and say so when they cannot be written.
  }
}

export interface LogPiece {
  /** Whole lines: a character may be half written. It lies in the project, where others write too, so it cannot paint. */
  readonly text: string;
  /** Where the next piece begins. */
  readonly end: number;
}

const longestPiece = 1_000_000;

/** The next piece of what a run has printed; undefined when there is nothing more. */
export function readRunLog({ plan }: RunRecord, from: number): LogPiece | undefined {
  return withFile(new RunFiles(plan.directory).log, ({ fd, size }) => {
    // One that is shorter than it was is another: the first was cleaned away.
    const start = from > size ? 0 : from;
    const most = Math.min(size, start + longestPiece);
    const lines = lastLineEnd(fd, start, most);
    // A line that long is shown in parts.
    const end = lines === start && most - start === longestPiece ? most : lines;
    return end === start ? undefined : { text: plainText(new TextDecoder().decode(readRange(fd, start, end))), end };
  });
}

/** Why there is no log of a run to be read; undefined when there is one, or it has printed nothing yet. */
export function whyNoLog({ plan, status }: RunRecord): Failure | undefined {
  const { log } = new RunFiles(plan.directory);
  if (fileFacts(log)) return undefined;
  if (plan.kind === "interactive") {
    return new Failure("not-found", `run ${plan.id} is Claude's own terminal interface, of which no log is kept`, {
      hint: `While it runs, its screen is shown by: ai-runtime attach ${plan.id}`,
    });
  }
  if (status.attempts === 0) return undefined;
  return new Failure("not-found", `the log of run ${plan.id} is gone: there is no ${log}`, {
    hint: `Its conversation is Claude's own: session-snapshot view ${plan.sessionId}`,
  });
}

/** All of it, in pieces. */
export function* readWholeRunLog(record: RunRecord): Generator<string> {
  for (let piece = readRunLog(record, 0); piece; piece = readRunLog(record, piece.end)) yield piece.text;
}

import type { Clock } from "../../claude/limits/api-error.ts";
import { readOwnWait, type TranscriptWait } from "../../claude/limits/own-wait.ts";
import { readSubagent } from "../../claude/side-files/subagent.ts";
import { readReturnedErrors } from "../../claude/side-files/subagent-results.ts";
import { readEnding, type TranscriptEnding } from "../../claude/transcript/transcript-ending.ts";
import { checkpointsDirectory, subagentsDirectory } from "../../claude/paths.ts";
import { isSubagentTranscript } from "../../claude/side-files/side-file.ts";
import { fullestReset } from "../../core/checkpoint/usage.ts";
import { latestReset } from "../../core/restart/limit-wait.ts";
import { describeTail } from "../../claude/transcript/transcript-tail.ts";
import { fileFacts, listDirectory, readRange, withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";
import { readUsageState } from "../../store/checkpoints/usage-state.ts";
import type { Environment } from "../environment.ts";

export interface TranscriptEnd {
  size: number;
  contextTokens: number | null;
  ending: TranscriptEnding;
}

export interface EndRange {
  /** Milliseconds since 1970: an older error is not the reason for this end. */
  readonly since?: number;
  /** Reads only this many bytes, from the beginning of the file. */
  readonly maxSize?: number;
}

/** The last usage entry is near the end of the file. */
const tailBytes = 256 * 1024;

/** The clock and the local time zone, which older clients leave out of a reset time. */
export function currentClock(environment: Environment): Clock {
  const now = environment.now();
  return {
    now,
    // A getter, because the start of Intl takes many milliseconds, and few callers need the zone.
    get zone() {
      return new Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    latestReset: latestReset(now),
    latestSpendReset: latestReset(now, "spend"),
  };
}

/** How a transcript ends; undefined when there is no file. */
export function readTranscriptEnding(
  environment: Environment,
  path: string,
  { since = 0, maxSize = Infinity }: EndRange = {},
): TranscriptEnding | undefined {
  return withFile(path, ({ fd, size }) => readEndingOf(environment, fd, Math.min(size, maxSize), since));
}

/** What the end of a transcript says about Claude's own wait for a limit; undefined when there is no file. */
export function readTranscriptWait(path: string): TranscriptWait | undefined {
  return withFile(path, ({ fd, size }) => readOwnWait(linesBackwards(fd, size)));
}

/**
 * The ending with the size of the file and of its context, as evidence of why a claude ended. A limit that only a subagent reached
 * in the last turn counts: that turn ends without an error, but its task is not done. `isFinished`: the stream has the answer,
 * which 2.1.36 may not have written when it exits.
 */
export function readTranscriptEnd(
  environment: Environment,
  path: string,
  since: number,
  isFinished = false,
): TranscriptEnd | undefined {
  return withFile(path, ({ fd, size }) => {
    const ending = readEndingOf(environment, fd, size, since);
    const isTurnOver = ending.answered && (isFinished || !ending.midTurn);
    return {
      size,
      contextTokens: describeTail(readRange(fd, Math.max(0, size - tailBytes), size)).contextTokens ?? null,
      ending: isTurnOver ? withSubagentLimit(environment, path, ending, ending.promptedAt ?? since) : ending,
    };
  });
}

function withSubagentLimit(
  environment: Environment,
  transcriptPath: string,
  ending: TranscriptEnding,
  since: number,
): TranscriptEnding {
  if (ending.finalError) return ending;
  const directory = subagentsDirectory(transcriptPath);
  const clock = currentClock(environment);
  const returned = withFile(transcriptPath, ({ fd, size }) =>
    readReturnedErrors(linesBackwards(fd, size, tailBytes), since, clock),
  );
  const recorded = listDirectory(directory)
    .filter(isSubagentTranscript)
    .map((name) => `${directory}/${name}`)
    .filter((path) => (fileFacts(path)?.modified ?? 0) >= since)
    .flatMap((path) => withFile(path, ({ fd, size }) => readSubagent(linesBackwards(fd, size, tailBytes), clock)) ?? [])
    .filter(({ time }) => time === undefined || time >= since)
    .flatMap(({ error }) => error ?? []);
  const limits = [...recorded, ...(returned ?? [])].filter((error) => error.kind === "limit");
  // The latest reset: before it, another subagent would reach its limit again.
  const [limit] = limits.sort((a, b) => (b.resetsAt ?? 0) - (a.resetsAt ?? 0));
  return limit ? { ...ending, finalError: { ...limit, behind: "subagent" } } : ending;
}

function readEndingOf(environment: Environment, fd: number, size: number, since: number): TranscriptEnding {
  const ending = readEnding(linesBackwards(fd, size), since, currentClock(environment));
  const { finalError } = ending;
  if (finalError?.kind !== "limit" || finalError.behind !== "wrap-up") return ending;
  // The transcript does not say when the window resets; the status line and the stream of a run may have.
  const usage = readUsageState(checkpointsDirectory(environment.claudeConfig))?.usage ?? {};
  return { ...ending, finalError: { ...finalError, resetsAt: fullestReset(usage, environment.now()) } };
}

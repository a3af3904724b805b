import type { Clock } from "../claude/api-error.ts";
import { describeTail } from "../claude/transcript-tail.ts";
import { readEnding, type TranscriptEnding } from "../claude/transcript-ending.ts";
import type { Evidence } from "../core/ending.ts";
import type { Load } from "../core/overload.ts";
import { parseResetTime } from "../core/reset-time.ts";
import { readRange, withFile } from "../io/read-file.ts";
import { linesBackwards } from "../io/read-lines-backwards.ts";
import type { ChildEnd } from "../io/run-child.ts";
import { signalOf } from "../io/signal-of.ts";
import type { RunEvent } from "../store/run-events.ts";
import { viewSession } from "../store/session-view.ts";
import type { Environment } from "./environment.ts";
import { type EndedRun, findEndedSession, type FoundSession } from "./find-session.ts";

export interface Gathered {
  evidence: Evidence;
  session: FoundSession | undefined;
  /** Claude was at work when it ended. */
  midTurn: boolean;
  /** Of the claude that wrote the transcript. */
  version: string | undefined;
}

/** Looks at everything that an ended claude has left behind. */
export function gatherEvidence(
  environment: Environment,
  run: EndedRun & { readonly interactive: boolean },
  end: ChildEnd,
): Gathered {
  const session = findEndedSession(environment, run);
  const read = session && readTranscriptEnd(environment, session.transcriptPath, run.started);
  const ending = read?.ending;
  // A wrapper around claude reports its death by a signal as an exit code.
  const signal = end.signal ?? signalOf(end.exitCode);
  return {
    session,
    midTurn: ending?.midTurn ?? false,
    version: ending?.version,
    evidence: {
      exitCode: end.exitCode,
      signal: signal ?? null,
      stopAsked: end.stopAsked,
      interactive: run.interactive,
      hooksSeen: run.events.length > 0,
      endReason: run.events.findLast(isProcessEnd)?.detail ?? null,
      failure: run.events.findLast(({ kind }) => kind === "failure")?.detail ?? null,
      finalError: ending?.finalError ?? null,
      resumable: ending?.spoken ?? false,
      progress: ending?.answered ?? false,
      ...(session && read ? readLoad(environment, session.id, read) : noLoad),
    },
  };
}

// With the other reasons the process goes on, with another session.
const isProcessEnd = ({ kind, detail }: RunEvent): boolean =>
  kind === "end" && detail !== "clear" && detail !== "resume";

const noLoad: Load = { snapshotAge: null, growth: 0, contextTokens: null };

export interface TranscriptEnd {
  size: number;
  contextTokens: number | null;
  ending: TranscriptEnding;
}

const tailSize = 256 * 1024;

/** For reset times in words. */
export function currentClock({ now }: Environment): Clock {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { now: now(), zone, parseReset: parseResetTime };
}

/** How a conversation stands; what is older than `since` was there before. */
export function readTranscriptEnd(environment: Environment, path: string, since: number): TranscriptEnd | undefined {
  const clock = currentClock(environment);
  return withFile(path, ({ fd, size }) => ({
    size,
    contextTokens: describeTail(readRange(fd, Math.max(0, size - tailSize), size)).contextTokens ?? null,
    ending: readEnding(linesBackwards(fd, size), since, clock),
  }));
}

function readLoad({ paths, now }: Environment, sessionId: string, { size, contextTokens }: TranscriptEnd): Load {
  const view = viewSession(paths, sessionId);
  const marks = typeof view === "string" ? [] : (view.generations.at(-1)?.marks ?? []);
  // Those of the end itself are as young as can be and have nothing after them.
  const running = marks.findLast(({ reason }) => reason !== "SessionEnd" && reason !== "StopFailure");
  if (!running) return { ...noLoad, contextTokens };
  return { snapshotAge: now() - running.time, growth: Math.max(0, size - running.size), contextTokens };
}

import { isEndReason } from "../../claude/hooks/hook-event.ts";
import { readEndReason } from "../../claude/hooks/session-end.ts";
import { readStopFailure } from "../../claude/hooks/stop-failure.ts";
import type { ReportedMode } from "../../claude/permission-mode.ts";
import type { TranscriptEnding } from "../../claude/transcript/transcript-ending.ts";
import type { EndEvidence } from "../../core/restart/cause.ts";
import type { FinalError } from "../../core/restart/final-error.ts";
import { settledMarks } from "../../core/snapshot/mark.ts";
import type { SessionLoad } from "../../core/restart/overload.ts";
import type { ChildEnd } from "../../io/process/run-child.ts";
import { signalOf } from "../../io/process/signal-of.ts";
import type { HookWords } from "../../store/cclaude/last-decision.ts";
import type { SessionEvent } from "../../store/cclaude/session-events.ts";
import { viewSession } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";
import { type EndedClaude, findEndedSession, type FoundSession } from "../session/find-session.ts";
import { readTranscriptEnd, type TranscriptEnd } from "../session/transcript-end.ts";

export interface Gathered {
  evidence: EndEvidence;
  /** Claude's own words behind `endReason` and `failure`, for the record. */
  words: HookWords;
  /** What the client wrote about the error at the end; not part of the evidence, which has no text. */
  errorText: string | undefined;
  session: FoundSession | undefined;
  /** Claude was at work when it ended. */
  midTurn: boolean;
  /** The terminal was closed. */
  hungUp: boolean;
  /** The last permission mode that a hook reported. */
  reportedMode: ReportedMode | undefined;
  /** Of the claude that wrote the transcript. */
  version: string | undefined;
  /** The user ended claude's own wait for a limit. Claude then exits with code 0, as if it had answered. */
  stoppedWait?: boolean;
}

/** Collects everything that an ended claude left behind. */
export function gatherEvidence(
  environment: Environment,
  run: EndedClaude & { readonly interactive: boolean },
  end: ChildEnd,
): Gathered {
  const session = findEndedSession(environment, run);
  // With -p, exit code 0 means that claude has printed its answer.
  const isFinished = !run.interactive && end.exitCode === 0;
  const read = session && readTranscriptEnd(environment, session.transcriptPath, run.started, isFinished);
  const ending = read?.ending;
  // A wrapper around claude reports a fatal signal as an exit code.
  const signal = end.signal ?? signalOf(end.exitCode);
  const words: HookWords = {
    endReason: run.events.findLast(isProcessEnd)?.detail ?? null,
    failure: session === undefined ? null : findFailure(run.events, session.id, ending),
  };
  return {
    session,
    words,
    errorText: ending?.errorText,
    midTurn: ending?.midTurn ?? false,
    hungUp: end.hungUp || signal === "SIGHUP",
    reportedMode: lastReportedMode(run.events),
    version: ending?.version,
    evidence: {
      exitCode: end.exitCode,
      signal: signal ?? null,
      stopAsked: end.stopAsked,
      interactive: run.interactive,
      hooksSeen: run.events.length > 0,
      ...readWords(words),
      finalError: (ending && finalErrorOf(ending, run.interactive)) ?? null,
      resumable: ending?.spoken ?? false,
      progress: ending?.answered ?? false,
      ...(session && read ? readLoad(environment, session.id, read) : noLoad),
    },
  };
}

/** Claude was working, or an error such as a limit ended its turn. */
export const isAtWork = ({ midTurn, evidence }: Gathered): boolean => midTurn || evidence.finalError !== null;

/** In the terminal, the user has read what Claude said about its subagent. */
const finalErrorOf = ({ finalError }: TranscriptEnding, interactive: boolean): FinalError | undefined =>
  interactive && finalError?.kind === "limit" && finalError.behind === "subagent" ? undefined : finalError;

export function lastReportedMode(events: readonly SessionEvent[]): ReportedMode | undefined {
  const last = events.findLast(({ permissionMode }) => permissionMode);
  return last?.permissionMode ? { mode: last.permissionMode, time: last.time } : undefined;
}

const isProcessEnd = ({ kind, detail }: SessionEvent): boolean =>
  kind === "end" && (detail === null || readEndReason(detail) !== "continues");

/**
 * A hook reports a failure up to this long after it happened. A failure that falls into this time after a prompt may be taken
 * for an earlier one. That costs one more attempt, after which the transcript names the failure.
 */
const hookDelayMs = 5_000;

/** Only a failure of this session after which its conversation did not move on can be the reason for the end. */
function findFailure(
  events: readonly SessionEvent[],
  sessionId: string,
  ending: TranscriptEnding | undefined,
): string | null {
  const last = events.findLast((event) => event.kind === "failure" && event.sessionId === sessionId);
  return last !== undefined && last.time - hookDelayMs >= (ending?.continuedAt ?? 0) ? last.detail : null;
}

function readWords({ endReason, failure }: HookWords): Pick<EndEvidence, "endReason" | "failure"> {
  const reason = endReason === null ? null : readEndReason(endReason);
  return {
    endReason: reason === "continues" ? null : reason,
    failure: (failure === null ? undefined : readStopFailure(failure)) ?? null,
  };
}

const noLoad: SessionLoad = { snapshotAge: null, growth: 0, contextTokens: null };

function readLoad({ paths, now }: Environment, sessionId: string, { size, contextTokens }: TranscriptEnd): SessionLoad {
  const view = viewSession(paths, sessionId);
  const marks = settledMarks(view?.generations.at(-1)?.marks ?? []);
  // Marks taken at the end itself would hide how old the last regular snapshot is.
  const running = marks.findLast(({ reason }) => !isEndReason(reason));
  if (!running) return { ...noLoad, contextTokens };
  return { snapshotAge: now() - running.time, growth: Math.max(0, size - running.size), contextTokens };
}

import type { AttemptEnd } from "../../core/restart/signal.ts";
import { chooseReset, classifyError, type Clock, type ErrorFacts } from "../limits/api-error.ts";
import type { FinalError } from "../../core/restart/final-error.ts";
import { describeStop, readStopMeaning } from "./stop-meaning.ts";
import type { StreamResult } from "./stream.ts";
import { toolSubject } from "./tool-subject.ts";
import type { TranscriptEnding } from "../transcript/transcript-ending.ts";

/** Everything that one attempt of `claude -p` left behind. */
export interface AttemptEvidence {
  readonly exitCode: number;
  readonly signal: string | undefined;
  /** It announced its session, so it accepted the command line. */
  readonly began: boolean;
  /** The last result, unless Claude continued after it. */
  readonly result: StreamResult | undefined;
  /** Background tasks that were running at that result, or at the end of a stream without one. */
  readonly pending: readonly string[];
  /** The last error in the stream after which Claude did not continue. */
  readonly failure: ErrorFacts | undefined;
  /** The reset time in the stream's limit event, in milliseconds since 1970. */
  readonly limitResetsAt: number | undefined;
  /** Why a hook of the user stopped the prompt. */
  readonly hookReason: string | undefined;
  /** When the usage window resets that the stream reported as nearly used up, in milliseconds since 1970. */
  readonly usageResetsAt: number | undefined;
  /** The end of what this attempt wrote to the transcript. */
  readonly ending: TranscriptEnding | undefined;
}

/**
 * The exit code alone proves nothing. Success needs a result, a process that ended by itself after it, no pending background
 * task, a reason that means success, and a new answer in the transcript.
 */
export function readAttemptEnd(evidence: AttemptEvidence, clock: Clock): AttemptEnd {
  const { result, exitCode, signal } = evidence;
  if (result) {
    const end = endByResult(result, evidence, clock);
    // A process that a signal ended had not finished, whatever it had reported.
    const isOverruled = signal !== undefined && ["finished", "unfinished", "empty"].includes(end?.kind ?? "");
    if (end && !isOverruled) return end;
  }
  const error = finalError(evidence, clock);
  if (error) return attemptEndOf(error, evidence, clock);
  if (signal !== undefined) return { kind: "crash" };
  if (exitCode === 0) return { kind: "empty" };
  return evidence.began && result?.turns !== 0 ? { kind: "crash" } : { kind: "refused" };
}

function endByResult(result: StreamResult, evidence: AttemptEvidence, clock: Clock): AttemptEnd | undefined {
  const meaning = readStopMeaning(result, evidence.failure);
  switch (meaning) {
    case "failure":
      return undefined;
    case "finished":
    case "unfinished":
      if (result.isError) return { kind: "unfinished" };
      if (result.subtype !== "success") return undefined;
      if (evidence.hookReason !== undefined && evidence.ending?.answered !== true) return { kind: "hook" };
      if (!isWritten(evidence)) return { kind: "empty" };
      return limitBehind(evidence, clock) ?? { kind: evidence.pending.length > 0 ? "unfinished" : meaning };
    default:
      return { kind: meaning };
  }
}

/** A client that fails while exiting, after it wrote its last answer, has finished its work. */
const isWritten = ({ exitCode, ending }: AttemptEvidence): boolean =>
  ending?.answered === true && (exitCode === 0 || !ending.midTurn);

/** The limit behind a turn that ended without an error: the client told Claude to wrap up, or only a subagent reached it. */
function limitBehind({ ending, usageResetsAt, limitResetsAt }: AttemptEvidence, clock: Clock): AttemptEnd | undefined {
  const limit = ending?.finalError;
  if (limit?.kind !== "limit" || !limit.behind) return undefined;
  const streamed = limit.behind === "wrap-up" ? usageResetsAt : limitResetsAt;
  return { ...limit, resetsAt: chooseReset([streamed, limit.resetsAt], clock) ?? null };
}

/** The stream first. A process that died early often still wrote the error to the transcript. */
function finalError(evidence: AttemptEvidence, clock: Clock): FinalError | undefined {
  const { result, failure, ending, limitResetsAt } = evidence;
  if (result?.isError && failure) return classifyError({ ...failure, streamResetsAt: limitResetsAt }, clock);
  return ending?.finalError;
}

function attemptEndOf(error: FinalError, { limitResetsAt }: AttemptEvidence, clock: Clock): AttemptEnd {
  switch (error.kind) {
    case "limit":
      return { ...error, resetsAt: error.resetsAt ?? chooseReset([limitResetsAt], clock) ?? null };
    case "too-long":
      return { kind: "overload" };
    case "other":
      return { kind: "error" };
    default:
      return { kind: error.kind };
  }
}

/** What Claude, the API or a hook said about an end before the task was done; undefined when they said nothing. */
export function explainAttemptEnd(end: AttemptEnd, evidence: AttemptEvidence): string | undefined {
  const { result, failure, pending, hookReason, ending } = evidence;
  switch (end.kind) {
    case "unfinished":
      if (pending.length > 0) return `background tasks were still running: ${pending.join("; ")}`;
      return result && describeStop(result, failure);
    case "hook":
      return hookReason ?? ending?.hookReason;
    case "deferred": {
      const call = result?.deferred;
      const about = call && toolSubject(call.input);
      return call && (about === undefined ? call.name : `${call.name}: ${about}`);
    }
    case "refusal":
      return failure?.text ?? result?.text;
    case "finished":
      return undefined;
    default:
      // A process that died early may have written the error only to the transcript.
      return result?.isError ? (failure?.text ?? result.text) : ending?.errorText;
  }
}

import type { FinalError } from "./final-error.ts";
import { looksOverloaded, type SessionLoad } from "./overload.ts";

/** Why Claude says its session ended: the user left on purpose, or anything else. */
export type EndReason = "left" | "other";

/** Everything cclaude knows when claude has ended. It contains no text of the conversation. */
export interface EndEvidence extends SessionLoad {
  readonly exitCode: number;
  /** The signal that ended claude, also when a wrapper reported it as an exit code above 128. */
  readonly signal: string | null;
  /** cclaude received a request to stop while claude ran: Ctrl-C in print mode, a hangup, a termination. */
  readonly stopAsked: boolean;
  /** The host ended claude so that its full conversation is restored; absent without a host. */
  readonly restoreRequested?: boolean;
  readonly interactive: boolean;
  /** A hook of this claude reported something, so a missing SessionEnd has a meaning. */
  readonly hooksSeen: boolean;
  /** As the SessionEnd hook reported it; null without one. */
  readonly endReason: EndReason | null;
  /** As the last StopFailure hook reported it; null without one, and when the conversation continued after it. */
  readonly failure: FinalError | null;
  /** As the end of the transcript shows it. */
  readonly finalError: FinalError | null;
  /** There is a conversation to resume. */
  readonly resumable: boolean;
  /** This attempt brought at least one answer. */
  readonly progress: boolean;
}

export type EndCause =
  | "left"
  | "finished"
  | "stopped"
  | "not-started"
  | "failed"
  | "authentication"
  | "permission"
  | "billing"
  | "limit"
  | "overload"
  | "server"
  | "crash";

export function findCause(evidence: EndEvidence): EndCause {
  const { exitCode, signal, endReason, finalError, failure, interactive, resumable, progress, hooksSeen } = evidence;
  if (evidence.stopAsked) return "stopped";
  if (evidence.restoreRequested === true && isFull(evidence)) return "overload";
  if (isStop(signal)) return "stopped";
  // A user who leaves has seen the error in the transcript.
  if (endReason === "left") return "left";
  if (exitCode === 0 && signal === null) {
    if (interactive) return "left";
    // Without an error: the client told Claude to wrap up near the limit, or only a subagent reached it.
    return finalError?.kind === "limit" && resumable ? "limit" : "finished";
  }
  // The hook reports the kind, but neither the reset nor the size.
  const error = finalError ?? failure;
  if (error && resumable) return causeOf(error);
  if (!resumable) return "not-started";
  if (looksOverloaded(evidence) && (signal !== null || endReason === null)) return "overload";
  if (signal !== null) return "crash";
  if (!progress) return "not-started";
  return hooksSeen && endReason === null ? "crash" : "failed";
}

/** The conversation ends with a refusal as too long, and can be resumed. */
export const isFull = ({ finalError, resumable }: EndEvidence): boolean => finalError?.kind === "too-long" && resumable;

const isStop = (signal: string | null): boolean =>
  signal !== null && ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"].includes(signal);

function causeOf(error: FinalError): EndCause {
  switch (error.kind) {
    case "too-long":
      return "overload";
    case "other":
      return "failed";
    default:
      return error.kind;
  }
}

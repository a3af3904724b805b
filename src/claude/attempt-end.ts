import type { AttemptEnd } from "../core/signal.ts";
import { classifyError, type Clock, type ErrorFacts } from "./api-error.ts";
import type { FinalError } from "../core/final-error.ts";
import type { StreamResult } from "./stream.ts";
import type { TranscriptEnding } from "./transcript-ending.ts";

/** Everything that one start of `claude -p` has left behind. */
export interface AttemptEvidence {
  readonly exitCode: number;
  readonly signal: string | undefined;
  /** It told of its session: its command line was good. */
  readonly began: boolean;
  readonly result: StreamResult | undefined;
  /** The last error that the client spoke of. */
  readonly failure: ErrorFacts | undefined;
  /** The limit's end by the client's own event, in milliseconds since 1970. */
  readonly limitResetsAt: number | undefined;
  /** Of what this start has written. */
  readonly ending: TranscriptEnding | undefined;
}

/** An exit code alone is believed in nothing: a result, and new records in the transcript, are what counts. */
export function readAttemptEnd(evidence: AttemptEvidence, clock: Clock): AttemptEnd {
  const { result, exitCode } = evidence;
  if (result?.subtype === "error_max_turns") return { kind: "turns" };
  if (result?.subtype === "error_max_budget_usd") return { kind: "budget" };
  if (result && !result.isError && result.subtype === "success") {
    return isWritten(evidence) ? { kind: "finished" } : { kind: "empty" };
  }
  const error = finalError(evidence, clock);
  if (error) return endOf(error, evidence, clock);
  if (evidence.signal !== undefined) return { kind: "crash" };
  if (exitCode === 0) return { kind: "empty" };
  return evidence.began && result?.turns !== 0 ? { kind: "crash" } : { kind: "refused" };
}

/** A client that stumbles on its way out, with its last words in the transcript, has done its work all the same. */
const isWritten = ({ exitCode, ending }: AttemptEvidence): boolean =>
  ending?.answered === true && (exitCode === 0 || !ending.midTurn);

/** The stream's word first; a process that died before it could speak has often written it down. */
function finalError({ result, failure, ending }: AttemptEvidence, clock: Clock): FinalError | undefined {
  if (result?.isError && failure) return classifyError(failure, clock);
  return ending?.finalError;
}

const furthest = 8 * 24 * 3_600_000;

function endOf(error: FinalError, { limitResetsAt, failure }: AttemptEvidence, { now }: Clock): AttemptEnd {
  switch (error.kind) {
    case "limit": {
      const told = [failure?.quotaResetsAt, limitResetsAt, error.resetsAt];
      // No limit lasts longer: what says so is a mistake, and is not waited for.
      const resetsAt = told.find((time) => time !== undefined && time < now + furthest);
      // An API key that asks too fast: over in seconds, and nobody says when.
      if (resetsAt === undefined && failure?.text.startsWith("API Error:")) return { kind: "server" };
      return { kind: "limit", resetsAt: resetsAt ?? null };
    }
    case "too-long":
      return { kind: "overload" };
    case "other":
      return { kind: "error" };
    default:
      return { kind: error.kind };
  }
}

import { quotePosixWords } from "../../core/posix-quote.ts";
import type { AnnouncedSession } from "../../app/cclaude/announcer.ts";
import type { NoAnswer, RecoveryEvent, RecoveryStop } from "../../app/resume/recovery-events.ts";
import type { QuietLimit, SpecialLimit } from "../../core/restart/final-error.ts";
import type { RunPlan } from "../../core/run/run-record.ts";
import { formatClock, formatDuration, formatTime } from "../format.ts";
import { oneLine } from "../one-line.ts";
import { truncate } from "../table.ts";

/** The names by which messages refer to a run. */
export type RunNames = Pick<RunPlan, "id" | "sessionId">;

/** The words in which the sentences of cclaude and of a run differ. */
export interface RecoveryContext {
  readonly now: number;
  /** What is resumed: `session <id>` or `the task`. */
  readonly subject: string;
  readonly sessionId: string;
  /** The command that resumes it. */
  readonly resume: string;
}

/** One line: what happens now and why, or why nothing more happens and what the user can do. */
export function describeRecovery(event: RecoveryEvent | RecoveryStop | NoAnswer, context: RecoveryContext): string {
  const { now, subject, sessionId, resume } = context;
  switch (event.kind) {
    case "waiting": {
      const limit = event.behind ? quietLimits[event.behind] : `${limitName(event.of)} reached`;
      const reset = event.known ? "" : noReset;
      return `${limit}${reset}; waiting until ${describeMoment(event.until, now)}, then resuming ${subject}`;
    }
    case "backing-off": {
      const isExplained = event.cause === "crash" || event.cause === "unfinished";
      const how = isExplained && event.how !== undefined ? ` (${oneLine(event.how)})` : quoteOf(event.message);
      const delay = event.until - now;
      return `${interruptions[event.cause]}${how}; resuming ${subject}${delay >= 500 ? ` in ${formatDuration(delay)}` : ""}`;
    }
    case "resuming":
      if (event.cause === "limit") return `the usage limit has reset; resuming ${subject}`;
      return `resuming ${subject}${event.cause === "overload" ? " from an earlier point" : ""}`;
    case "no-answer":
      return `claude said: ${shortQuote(event.message)}`;
    case "repaired":
      return `the transcript was damaged; repaired it (${undo(sessionId)})`;
    case "stricter-mode":
      return `resuming in permission mode ${oneLine(event.mode)}: the session used it last, and it is stricter than the flags`;
    case "restored": {
      const place = event.mark === null ? `a point in turn ${event.turn}` : `mark ${event.mark}`;
      const time = event.time === null ? "" : ` of ${formatTime(event.time, now)}`;
      return `the conversation outgrew its context; restored it to ${place}${time} (${undo(sessionId)})`;
    }
    case "trouble":
      return oneLine(event.message);
    case "not-waiting": {
      const limit = event.until === null ? unknownLimit() : `usage limit until ${describeMoment(event.until, now)}`;
      return `${limit}; not waiting. ${resumeWith(resume)}`;
    }
    case "held": {
      const others = `Continue with another model: cclaude --resume ${sessionId} --model <model>`;
      const wait = event.of === "spend" ? "raise the spend limit or wait for its reset" : "wait for its reset";
      return `${unknownLimit(event.of)}${quoteOf(event.message)}. ${others}, or ${wait}. ${resumeWith(resume)}`;
    }
    case "kept-failing":
      return `the API kept failing for ${formatDuration(event.milliseconds)}${quoteOf(event.message)}; everything is saved. ${resumeWith(resume)}`;
    case "stopped-waiting":
      return `stopped waiting. ${resumeWith(resume)}`;
    case "gave-up":
      return `gave up after ${event.attempts ?? "several"} attempts without an answer; everything is saved. ${resumeWith(resume)}`;
    case "restored-too-often":
      return `the conversation outgrew its context again after several restores; everything is saved. ${marks(sessionId)}`;
    case "no-restore-point":
      return `the conversation outgrew its context, and no point of it is small enough. ${marks(sessionId)}`;
    case "went-on-elsewhere":
      return `session ${sessionId} was continued elsewhere; left it alone. ${resumeWith(resume)}`;
    case "authentication":
      return `claude could not log in${quoteOf(event.message)}. Run claude and /login, or check the API key. ${resumeWith(resume)}`;
    case "permission":
      return `the API denies this account access${quoteOf(event.message)}. Ask the administrator of the account. ${resumeWith(resume)}`;
    case "rejected":
      return `the API rejected the request for good${quoteOf(event.message)}. ${resumeWith(resume)}`;
    case "billing":
      return `the account has no credit${quoteOf(event.message)}. Add credit first. ${resumeWith(resume)}`;
    case "not-started":
      return event.complaint === undefined
        ? "claude ended before a conversation began; see its message above, or claude --help"
        : `claude did not start: ${oneLine(event.complaint)}`;
    case "undecided":
      return `cannot find out how to resume: ${oneLine(event.message)}`;
  }
}

export const contextOfSession = ({ id, resume }: AnnouncedSession, now: number): RecoveryContext => ({
  now,
  subject: `session ${id}`,
  sessionId: id ?? "",
  resume: quotePosixWords(["cclaude", ...resume]),
});

export const contextOfRun = ({ id, sessionId }: RunNames, now: number): RecoveryContext => ({
  now,
  subject: "the task",
  sessionId,
  resume: `ai-runtime resume ${id}`,
});

export const resumeWith = (command: string): string => `Resume with: ${command}`;

const describeMoment = (until: number, now: number): string =>
  `${formatClock(until, now)} (${formatDuration(until - now)})`;

const limitName = (of?: SpecialLimit): string =>
  of === undefined ? "usage limit" : of === "model" ? "limit of this model" : "spend limit";

const noReset = ", no reset time given";

const unknownLimit = (of?: SpecialLimit): string => `${limitName(of)} reached${noReset}`;

const quietLimits: Record<QuietLimit, string> = {
  "wrap-up": "Claude wrapped up near the usage limit",
  subagent: "a subagent reached a usage limit",
};

const maxQuoteLength = 400;

/** The words of the API or of claude, which may be megabytes long and may have several lines. */
const shortQuote = (message: string): string =>
  truncate(oneLine(message.slice(0, 8 * maxQuoteLength)).trim(), maxQuoteLength);

const quoteOf = (message: string | undefined): string =>
  message === undefined || message === "" ? "" : ` ("${shortQuote(message)}")`;

const interruptions = {
  crash: "claude ended unexpectedly",
  server: "the API failed",
  empty: "claude ended without doing anything",
  unfinished: "claude ended before the task was done",
} as const;

const undo = (sessionId: string): string => `undo with: session-snapshot undo ${sessionId}`;
const marks = (sessionId: string): string => `List its marks with: session-snapshot list ${sessionId}`;

import type { RunEnded, RunEvent } from "../app/run-view.ts";
import { formatClock, formatDuration, formatRemaining, formatTime } from "./format.ts";
import { oneLine } from "./one-line.ts";
import { plainLines } from "./plain-lines.ts";

export type Tone = "plain" | "quiet" | "good" | "warning";

export interface Line {
  readonly tone: Tone;
  readonly text: string;
}

/** What there is to say about an event: one line, but for Claude's own words. Nothing for what is said elsewhere. */
export function describeRunEvent(event: RunEvent, now: number): Line | undefined {
  switch (event.kind) {
    case "started":
      return { tone: "quiet", text: `● run ${event.plan.id} in ${oneLine(event.plan.cwd)}` };
    case "launched":
      return undefined;
    case "text":
      return { tone: "plain", text: plainLines(event.text) };
    case "tool":
      return { tone: "quiet", text: `  ▸ ${oneLine(event.name)}${event.about ? `  ${oneLine(event.about)}` : ""}` };
    case "step":
      return { tone: "good", text: `✔ ${event.number}. ${oneLine(event.text)}` };
    case "retry": {
      const why = event.status === undefined ? "the API does not answer" : `the API failed (${event.status})`;
      return { tone: "warning", text: `! ${why}; claude asks again in ${formatDuration(event.delay)}` };
    }
    case "waiting": {
      const what = event.known ? "usage limit reached" : "usage limit reached, no reset time given";
      return { tone: "warning", text: `! ${what}; waiting until ${moment(event.until, now)}` };
    }
    case "backing-off":
      return {
        tone: "warning",
        text: `! ${troubles[event.cause] ?? "claude ended"}${event.cause === "crash" && event.how ? ` (${event.how})` : ""}; going on in ${formatDuration(event.until - now)}`,
      };
    case "resuming":
      return { tone: "quiet", text: `● going on with the same conversation${causes[event.cause ?? ""] ?? ""}` };
    case "repaired":
      return { tone: "good", text: "✔ the transcript was damaged and is repaired; what it was is kept" };
    case "restored":
      return {
        tone: "good",
        text: `✔ the conversation outgrew its context; went back to mark ${event.mark} of ${formatTime(event.time, now)}`,
      };
    case "denied":
      return {
        tone: "warning",
        text: `! not permitted in this run: ${event.tools.map(oneLine).join(", ")}; permit it with --allowedTools or --permission-mode`,
      };
    case "trouble":
      return { tone: "warning", text: `! ${oneLine(event.message)}` };
    case "ended":
      return describeEnd(event, now);
  }
}

const troubles: Record<string, string> = {
  crash: "claude ended unexpectedly",
  server: "the API failed",
  empty: "claude ended without having done anything",
};

const causes: Record<string, string> = {
  limit: ": the usage limit has reset",
  overload: ", from an earlier point",
};

const moment = (until: number, now: number): string => `${formatClock(until, now)} (${formatRemaining(until - now)})`;

function describeEnd(end: RunEnded, now: number): Line {
  const { id, sessionId } = end;
  const resume = `Go on with: ai-runtime resume ${id}`;
  switch (end.phase) {
    case "done":
      if (end.exit === "partial") {
        return {
          tone: "warning",
          text: "! done, but that could not be recorded: see above. It may be taken up again.",
        };
      }
      return { tone: "good", text: `✔ done · ${summary(end)}` };
    case "stopped":
      return { tone: "quiet", text: `■ stopped for good. Its conversation: cclaude --resume ${sessionId}` };
    case "paused":
      return { tone: "warning", text: `■ ${pauses(end, now)} ${resume}` };
    default:
      return { tone: "warning", text: `✘ ${failures(end)} ${end.cause === "refused" ? "" : resume}`.trim() };
  }
}

function pauses({ cause, until, sessionId }: RunEnded, now: number): string {
  if (cause === "limit") return `usage limit until ${until === null ? "later" : moment(until, now)}; not waiting.`;
  if (cause === "went-on-elsewhere") return `session ${sessionId} went on elsewhere; left alone.`;
  if (cause === "shutdown") return "ended from outside; everything is saved, and ai-runtime recover finds it.";
  return "interrupted; everything is saved.";
}

function failures({ cause, attempts, complaint }: RunEnded): string {
  switch (cause) {
    case "authentication":
      return "claude could not log in. Run claude and /login, or check the API key.";
    case "billing":
      return "the account has no credit. Add some first.";
    case "budget":
      return "the budget of --max-budget-usd is used up.";
    case "turns":
      return "the turns of --max-turns are used up.";
    case "refused":
      return `claude would not start: ${oneLine(complaint ?? "it said nothing")}`;
    case "error":
      return "the API refused, and would again: its words are above.";
    case "overload":
    case "no-restore-point":
      return "the conversation outgrew its context, and no snapshot is small enough.";
    case "empty":
      return `claude ended ${attempts} times without having done anything; nothing is called done.`;
    default:
      return `gave up after ${attempts} starts without an answer; everything is saved.`;
  }
}

function summary({ steps, attempts, costUsd, milliseconds }: RunEnded): string {
  const parts = [formatDuration(milliseconds)];
  if (steps > 0) parts.push(steps === 1 ? "1 step" : `${steps} steps`);
  if (attempts > 1) parts.push(`${attempts} starts`);
  if (costUsd >= 0.005) parts.push(`$${costUsd.toFixed(2)}`);
  return parts.join(" · ");
}

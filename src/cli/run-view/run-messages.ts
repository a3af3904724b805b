import type { RunEnded, RunEvent } from "../../app/run/run-events.ts";
import type { RecoveryEvent, RecoveryStop } from "../../app/resume/recovery-events.ts";
import { formatCount, formatDuration } from "../format.ts";
import { oneLine } from "../one-line.ts";
import { plainLines } from "../plain-lines.ts";
import { contextOfRun, describeRecovery, resumeWith, type RunNames } from "../messages/recovery-messages.ts";

export type Tone = "plain" | "quiet" | "good" | "warning";

export interface Line {
  readonly tone: Tone;
  readonly text: string;
}

/** The line for an event; Claude's own text may have several. Undefined for events that need no line. */
export function describeRunEvent(event: RunEvent, run: RunNames, now: number): Line | undefined {
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
    case "cold-resume": {
      const share = event.percent === null ? "" : `, about ${describePercent(event.percent)} of the 5-hour window`;
      return {
        tone: "quiet",
        text: `● resuming ${formatCount(event.tokens)} tokens${share}: the prompt cache has expired`,
      };
    }
    case "retry": {
      const why = event.status === undefined ? "the API does not answer" : `the API failed (${event.status})`;
      return { tone: "warning", text: `! ${why}; claude retries in ${formatDuration(event.delay)}` };
    }
    case "waiting":
    case "backing-off":
    case "resuming":
    case "repaired":
    case "stricter-mode":
    case "restored":
    case "trouble": {
      const { tone, sign } = looks[event.kind];
      return { tone, text: `${sign} ${describeRecovery(event, contextOfRun(run, now))}` };
    }
    case "denied":
      return {
        tone: "warning",
        text: `! not permitted in this run: ${event.tools.map(oneLine).join(", ")}; permit it with --allowedTools or --permission-mode`,
      };
    case "ended":
      return describeEnd(event, now);
  }
}

const looks: Record<RecoveryEvent["kind"], { readonly tone: Tone; readonly sign: string }> = {
  waiting: { tone: "warning", sign: "!" },
  "backing-off": { tone: "warning", sign: "!" },
  trouble: { tone: "warning", sign: "!" },
  resuming: { tone: "quiet", sign: "●" },
  repaired: { tone: "good", sign: "✔" },
  "stricter-mode": { tone: "warning", sign: "!" },
  restored: { tone: "good", sign: "✔" },
};

function describeEnd(end: RunEnded, now: number): Line {
  const context = contextOfRun(end, now);
  switch (end.phase) {
    case "done":
      if (end.exit === "partial") {
        return { tone: "warning", text: "! done, but not recorded (see above). A resume may repeat the task." };
      }
      return { tone: "good", text: `✔ done · ${summary(end)}` };
    case "stopped":
      return {
        tone: "quiet",
        text: `■ stopped for good. Continue its conversation with: cclaude --resume ${end.sessionId}`,
      };
    default: {
      const sign = end.phase === "paused" ? "■" : "✘";
      const stop = stopOf(end);
      const text = stop ? describeRecovery(stop, context) : `${ownReason(end)} ${resumeWith(context.resume)}`;
      return { tone: "warning", text: `${sign} ${text}` };
    }
  }
}

/** The reason to stop that a run shares with cclaude; undefined for those that only a run has. */
function stopOf(end: RunEnded): RecoveryStop | undefined {
  const { cause, phase, until, attempts, complaint, message } = end;
  switch (cause) {
    case "limit":
      if (until === null && end.heldBy !== undefined) return { kind: "held", of: end.heldBy, message };
      return phase === "paused" ? { kind: "not-waiting", until } : { kind: "gave-up", attempts };
    case "overload":
      return { kind: "restored-too-often" };
    case "refused":
      return { kind: "not-started", complaint: complaint ?? "it printed nothing" };
    case "crash":
      return { kind: "gave-up", attempts };
    case "server":
      return { kind: "kept-failing", milliseconds: end.failedFor, message };
    case "went-on-elsewhere":
    case "no-restore-point":
      return { kind: cause };
    case "authentication":
    case "permission":
    case "billing":
      return { kind: cause, message };
    case "error":
      return { kind: "rejected", message };
    default:
      return undefined;
  }
}

function ownReason({ cause, phase, attempts, message }: RunEnded): string {
  const words = message === undefined ? "" : `: ${oneLine(message)}`;
  switch (cause) {
    case "hook":
      return `a hook stopped claude${sentence(words)}`;
    case "deferred":
      return `a hook deferred a tool call${message === undefined ? "" : ` (${oneLine(message)})`}, which a run cannot decide.`;
    case "refusal":
      return `Claude refused the request${sentence(words)}`;
    case "unfinished":
      return `claude ended ${attempts} times before the task was done${sentence(words)}`;
    case "killed":
    case "shutdown":
      return "ended by the system; everything is saved, and ai-runtime recover resumes it.";
    case "budget":
      return "the budget of --max-budget-usd is used up.";
    case "turns":
      return "the turns of --max-turns are used up.";
    case "empty":
      return `claude ended ${attempts} times without doing anything; the task is not done.`;
    default:
      return phase === "paused" ? "interrupted; everything is saved." : "failed; everything is saved.";
  }
}

const sentence = (words: string): string => (/[.!?]$/.test(words) ? words : `${words}.`);

const describePercent = (percent: number): string => (percent < 1 ? "<1 %" : `${Math.round(percent)} %`);

function summary({ steps, attempts, costUsd, costs, milliseconds }: RunEnded): string {
  const parts = [formatDuration(milliseconds)];
  if (steps > 0) parts.push(steps === 1 ? "1 step" : `${steps} steps`);
  if (attempts > 1) parts.push(`${attempts} attempts`);
  if (costUsd >= 0.005) parts.push(`$${costUsd.toFixed(2)}`);
  // The run itself counts, so another one has cost something when the sum is higher.
  if (costs && costs.todayUsd >= costUsd + 0.005) parts.push(`$${costs.todayUsd.toFixed(2)} today`);
  if (costs && costs.projectUsd >= costUsd + 0.005) parts.push(`$${costs.projectUsd.toFixed(2)} here in 7 days`);
  return parts.join(" · ");
}

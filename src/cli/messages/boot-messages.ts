import type { BootEvent } from "../../app/recovery/after-boot.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import { formatClock, formatCount } from "../format.ts";
import { oneLine } from "../one-line.ts";

/** One line for the log and the user. The log has no words of the conversation: ids and directories only. */
export function describeBoot(event: BootEvent, now: number): string {
  switch (event.kind) {
    case "already":
      return `this boot was recovered ${formatClock(event.time, now)}; nothing to do`;
    case "busy":
      return "another process recovers this boot now";
    case "interrupted":
      return "interrupted; the next call continues";
    case "quiet":
      return `quiet hours: waits until ${formatClock(event.until, now)}`;
    case "nothing":
      return "nothing was interrupted";
    case "found":
      return `${event.count} to continue (recoverAtLogin: ${event.policy})${cost(event.tokens || null)}`;
    case "unreadable":
      return `the record of run ${event.id} cannot be read; continue its conversation in its directory with: cclaude --resume`;
    case "left":
      return `left to you (recoverAtLogin: ${event.policy}): ${nameOf(event.record)}; continue it with: ai-runtime resume ${event.record.plan.id}`;
    case "continued":
      return `continued ${nameOf(event.record)}${cost(event.tokens)}`;
    case "failed":
      return `not continued: ${nameOf(event.record)}: ${oneLine(event.message)}`;
  }
}

const nameOf = ({ plan }: RunRecord): string =>
  `${plan.kind === "headless" && !plan.cclaude ? "run" : "session"} ${plan.id} in ${oneLine(plan.cwd)}`;

const cost = (tokens: number | null): string =>
  tokens === null ? "" : `; sends about ${formatCount(tokens)} tokens of context again`;

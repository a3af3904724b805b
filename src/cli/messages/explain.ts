import { type Explanation, readExplanation } from "../../app/cclaude/explain.ts";
import { formatBytes, formatCount, formatDuration, formatTime } from "../format.ts";
import { quotePosixWords } from "../../core/posix-quote.ts";
import type { Variables } from "../../core/variables.ts";

/** `cclaude --explain`. */
export const explain = (variables: Variables): string => describeExplanation(readExplanation(variables), Date.now());

export function describeExplanation({ last, abandoned }: Explanation, now: number): string {
  const lines = last ? describeLast(last, now) : ["No claude has ended under cclaude yet."];
  for (const { cwd, flags, sessionId, started } of abandoned) {
    const how = quotePosixWords([
      "cclaude",
      ...flags,
      ...(sessionId === null ? ["--continue"] : ["--resume", sessionId]),
    ]);
    lines.push("", `A cclaude of ${formatTime(started, now)} was killed in ${cwd}. Resume there with:`, `  ${how}`);
  }
  return `${lines.join("\n")}\n`;
}

const causes: Record<NonNullable<Explanation["last"]>["decision"]["cause"], string> = {
  left: "the user left",
  finished: "it finished",
  stopped: "it received a stop signal",
  "not-started": "no conversation began",
  failed: "it failed in a way that a restart would not fix",
  authentication: "it could not log in",
  permission: "the API denied the account access",
  billing: "the account has no credit",
  limit: "a usage or rate limit",
  overload: "the conversation outgrew its context",
  server: "the API failed",
  crash: "it crashed",
};

function describeLast(last: NonNullable<Explanation["last"]>, now: number): string[] {
  const { evidence, decision, history } = last;
  const error = evidence.finalError;
  const rows: [string, string][] = [
    ["when", formatTime(last.time, now)],
    ["where", last.cwd],
    ["session", last.sessionId ?? "not known"],
    ["cause", causes[decision.cause]],
    ["action", describeAction(last, now)],
    ["exit code", String(evidence.exitCode)],
    ["signal", evidence.signal ?? "none"],
    ["stop requested", evidence.stopAsked ? "yes" : "no"],
    ["mode", evidence.interactive ? "interactive" : "print"],
    ["SessionEnd reason", evidence.endReason ?? (evidence.hooksSeen ? "none" : "none, and no hook reported")],
    ["StopFailure error", evidence.failure ?? "none"],
    ["transcript ends with", error ? `an error: ${error.kind}` : evidence.resumable ? "no error" : "nothing to resume"],
    ["answered", evidence.progress ? "yes" : "no"],
    ["snapshot age", evidence.snapshotAge === null ? "no snapshot" : formatDuration(evidence.snapshotAge)],
    ["growth since", formatBytes(evidence.growth)],
    ["context", evidence.contextTokens === null ? "not known" : `${formatCount(evidence.contextTokens)} tokens`],
    ["before that", `${history.restarts} restarts, ${history.restores} of them restores`],
  ];
  return rows.map(([label, value]) => `${label.padEnd(20)}  ${value}`);
}

/** What cclaude did; what it decided, where it has not acted or its version did not record it. */
function describeAction({ decision: { action }, outcome }: NonNullable<Explanation["last"]>, now: number): string {
  if (outcome === null || outcome === undefined) return `decided to ${describePlan(action, now)}`;
  switch (outcome) {
    case "ended":
      return endedAlike;
    case "resumed":
      return action.kind === "wait" ? `waited until ${formatTime(action.until, now)}, then resumed` : "resumed";
    case "restored":
      return "restored an earlier point and resumed";
    case "gave-up":
      return "gave up: too many attempts";
    case "no-restore-point":
      return `found no earlier point that fits; ${endedAlike}`;
    case "held":
      return "ended with exit code 75: the limit states no reset";
    case "not-waiting":
      return "did not wait, as CCLAUDE_NO_WAIT says";
    case "stopped-waiting":
      return "stopped waiting, as the user asked";
    case "went-on-elsewhere":
      return `did not resume: the session was continued elsewhere; ${endedAlike}`;
    case "failed":
      return `failed to act; ${endedAlike}`;
  }
}

const endedAlike = "ended with the same exit code";

function describePlan(action: NonNullable<Explanation["last"]>["decision"]["action"], now: number): string {
  switch (action.kind) {
    case "exit":
      return "end with the same exit code";
    case "give-up":
      return "give up: too many attempts";
    case "hold":
      return "end with exit code 75: the limit states no reset";
    case "restore":
      return "restore an earlier point and resume";
    case "resume":
      return `resume after ${formatDuration(action.delay)}`;
    case "wait":
      return `wait until ${formatTime(action.until, now)}, then resume`;
  }
}

import { type Explanation, readExplanation } from "../app/explain.ts";
import { formatBytes, formatCount, formatDuration, formatTime } from "./format.ts";
import { quoteWords } from "./quote-words.ts";

/** `cclaude --explain`. */
export const explain = (variables: Record<string, string | undefined>): string =>
  describeExplanation(readExplanation(variables), Date.now());

export function describeExplanation({ last, abandoned }: Explanation, now: number): string {
  const lines = last ? describeLast(last, now) : ["No claude has ended under cclaude yet."];
  for (const { cwd, flags, sessionId, started } of abandoned) {
    const how = quoteWords(["cclaude", ...flags, ...(sessionId === null ? ["--continue"] : ["--resume", sessionId])]);
    lines.push("", `A cclaude of ${formatTime(started, now)} was killed in ${cwd}. Go on there with:`, `  ${how}`);
  }
  return `${lines.join("\n")}\n`;
}

const causes: Record<NonNullable<Explanation["last"]>["decision"]["cause"], string> = {
  left: "the user left",
  finished: "it finished",
  stopped: "it was told to stop",
  "not-started": "no conversation began",
  failed: "it failed in a way that a restart would not mend",
  authentication: "it could not log in",
  billing: "the account has no credit",
  limit: "a usage or rate limit",
  overload: "the conversation outgrew its context",
  server: "the API failed",
  crash: "it crashed",
};

function describeLast(last: NonNullable<Explanation["last"]>, now: number): string[] {
  const { evidence, decision, history } = last;
  const { action } = decision;
  const actions = {
    exit: "ended with the same exit code",
    "give-up": "gave up: too many attempts",
    restore: "restored an earlier point and resumed",
    resume: action.kind === "resume" ? `resumed after ${formatDuration(action.delay)}` : "",
    wait: action.kind === "wait" ? `waited until ${formatTime(action.until, now)}, to resume then` : "",
  };
  const error = evidence.finalError;
  const rows: [string, string][] = [
    ["when", formatTime(last.time, now)],
    ["where", last.cwd],
    ["session", last.sessionId ?? "not known"],
    ["cause", causes[decision.cause]],
    ["action", actions[action.kind]],
    ["exit code", String(evidence.exitCode)],
    ["signal", evidence.signal ?? "none"],
    ["told to stop", evidence.stopAsked ? "yes" : "no"],
    ["mode", evidence.interactive ? "interactive" : "print"],
    ["SessionEnd reason", evidence.endReason ?? (evidence.hooksSeen ? "none" : "none, and no hook was seen")],
    ["StopFailure error", evidence.failure ?? "none"],
    ["transcript ends with", error ? `an error: ${error.kind}` : evidence.resumable ? "no error" : "nothing to resume"],
    ["answered in this run", evidence.progress ? "yes" : "no"],
    ["snapshot age", evidence.snapshotAge === null ? "no snapshot" : formatDuration(evidence.snapshotAge)],
    ["growth since", formatBytes(evidence.growth)],
    ["context", evidence.contextTokens === null ? "not known" : `${formatCount(evidence.contextTokens)} tokens`],
    ["before that", `${history.restarts} restarts, ${history.restores} of them restores`],
  ];
  return rows.map(([label, value]) => `${label.padEnd(20)}  ${value}`);
}

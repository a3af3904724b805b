/** What each Claude Code version can do. Every number was measured with that client or read from its source. */

export interface ClaudeVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** The first version with each feature, or, where that is unknown, the oldest version it was seen in. */
const FIRST_SEEN = {
  /** `async: true` runs the hook in the background. Older clients accept the key and wait for the hook. */
  asyncHooks: "2.1.20",
  /** `args` beside `command` starts the executable without a shell. Older clients silently ignore the args. */
  execFormHooks: "2.1.139",
  /** The client skips unknown event names. Up to 2.1.100 it ignores the whole settings file because of one. */
  unknownHookEventsTolerated: "2.1.112",
  /** `--session-id` chooses the id of a new conversation. */
  sessionIdFlag: "1.0.128",
  rateLimitEvent: "2.1.45",
  statusLineContextWindow: "2.0.65",
  statusLineRateLimits: "2.1.80",
  stopPayloadLastMessage: "2.1.50",
  transcriptErrorField: "2.1.36",
  transcriptErrorStatus: "2.1.112",
  transcriptQuotaLimits: "2.1.238",
  /** A broken line in the middle of a transcript loses only that line. */
  transcriptSelfHealing: "2.1.112",
  sessionRegistry: "2.1.112",
  /** With `CLAUDE_CODE_RETRY_WATCHDOG=1` the process waits for a limit to reset. */
  retryWatchdog: "2.1.152",
  /** `claude -p` writes each retry of its watchdog into the transcript. 2.1.197 writes none. */
  recordedRetries: "2.1.325",
  /** The terminal interface continues on its own after a five-hour limit. */
  continuesAfterLimit: "2.1.238",
  replyOnResume: "2.1.197",
  resumeFromAnyDirectory: "2.1.325",
} as const;

export type ClaudeFeature = keyof typeof FIRST_SEEN;

/** Reads what `claude --version` prints ("2.1.325 (Claude Code)"), or a bare version. */
export function parseClaudeVersion(output: string): ClaudeVersion | undefined {
  const match = /^\s*v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?![\d.])/.exec(output);
  if (!match) return undefined;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

export function compareClaudeVersions(left: ClaudeVersion, right: ClaudeVersion): number {
  return left.major - right.major || left.minor - right.minor || left.patch - right.patch;
}

/** Unknown version: false. */
export function canClaude(version: ClaudeVersion | undefined, feature: ClaudeFeature): boolean {
  return isAtLeast(version, FIRST_SEEN[feature]);
}

export function isAtLeast(version: ClaudeVersion | undefined, since: string): boolean {
  const first = parseClaudeVersion(since);
  return version !== undefined && first !== undefined && compareClaudeVersions(version, first) >= 0;
}

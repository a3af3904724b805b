/** What each Claude Code version can do. Every number was measured against that client, or read from its own text. */

export interface ClaudeVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** The first version each feature was seen in; where the exact one is unknown, the oldest one that was seen to have it. */
const FIRST_SEEN = {
  /** `async: true` runs in the background. Older clients accept the key and block. */
  asyncHooks: "2.1.20",
  /** `args` beside `command` starts the executable without a shell. Older clients drop the args without a word. */
  execFormHooks: "2.1.139",
  /** An unknown event name is skipped. Up to 2.1.100 one such name voids the whole settings source. */
  unknownHookEventsTolerated: "2.1.112",
  rateLimitEvent: "2.1.45",
  statusLineContextWindow: "2.0.65",
  statusLineRateLimits: "2.1.80",
  stopPayloadLastMessage: "2.1.50",
  transcriptErrorField: "2.1.36",
  transcriptErrorStatus: "2.1.112",
  transcriptQuotaLimits: "2.1.238",
  /** One broken line in the middle of a transcript costs only itself. */
  transcriptSelfHealing: "2.1.112",
  sessionRegistry: "2.1.112",
  /** `CLAUDE_CODE_RETRY_WATCHDOG=1` waits out a limit inside the process. */
  retryWatchdog: "2.1.152",
  /** The terminal interface goes on by itself after a five-hour limit. */
  continuesAfterLimit: "2.1.238",
  replyOnResume: "2.1.197",
  resumeFromAnyDirectory: "2.1.325",
} as const;

export type ClaudeFeature = keyof typeof FIRST_SEEN;

/** Hook events, each with the first version known to accept it. "0.0.0": present in the oldest client measured. */
const HOOK_EVENTS: Readonly<Record<string, string>> = {
  PreToolUse: "0.0.0",
  PostToolUse: "0.0.0",
  Notification: "0.0.0",
  UserPromptSubmit: "0.0.0",
  SessionStart: "0.0.0",
  SessionEnd: "0.0.0",
  Stop: "0.0.0",
  SubagentStop: "0.0.0",
  PreCompact: "0.0.0",
  PostToolUseFailure: "2.0.60",
  SubagentStart: "2.1.36",
  PermissionRequest: "2.1.36",
  Setup: "2.1.36",
  TeammateIdle: "2.1.36",
  TaskCompleted: "2.1.36",
  PostCompact: "2.1.76",
  StopFailure: "2.1.78",
  PermissionDenied: "2.1.112",
  TaskCreated: "2.1.112",
  Elicitation: "2.1.112",
  ElicitationResult: "2.1.112",
  ConfigChange: "2.1.112",
  WorktreeCreate: "2.1.112",
  WorktreeRemove: "2.1.112",
  InstructionsLoaded: "2.1.112",
  CwdChanged: "2.1.112",
  FileChanged: "2.1.112",
  PostToolBatch: "2.1.128",
  UserPromptExpansion: "2.1.128",
  MessageDisplay: "2.1.152",
  DirectoryAdded: "2.1.225",
  PreModelSwitch: "2.1.252",
  PostModelSwitch: "2.1.252",
};

/** Reads what `claude --version` prints ("2.1.325 (Claude Code)"), or a bare version. */
export function parseClaudeVersion(output: string): ClaudeVersion | undefined {
  const match = /^\s*v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?![\d.])/.exec(output);
  if (!match) return undefined;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

export function compareClaudeVersions(left: ClaudeVersion, right: ClaudeVersion): number {
  return left.major - right.major || left.minor - right.minor || left.patch - right.patch;
}

/** An unknown version can do nothing that is not everywhere. */
export function canClaude(version: ClaudeVersion | undefined, feature: ClaudeFeature): boolean {
  return isAtLeast(version, FIRST_SEEN[feature]);
}

/** Whether the event may stand in that version's settings; unknown version: only what all of them know. */
export function knowsHookEvent(version: ClaudeVersion | undefined, event: string): boolean {
  const since = HOOK_EVENTS[event];
  return since !== undefined && (since === "0.0.0" || isAtLeast(version, since));
}

function isAtLeast(version: ClaudeVersion | undefined, since: string): boolean {
  const first = parseClaudeVersion(since);
  return version !== undefined && first !== undefined && compareClaudeVersions(version, first) >= 0;
}

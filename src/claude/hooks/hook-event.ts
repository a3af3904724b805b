import type { SnapshotTrigger } from "../../core/snapshot/snapshot-due.ts";
import { type ClaudeVersion, isAtLeast } from "../versions.ts";

/** What our hook does for an event. */
export interface HookHandling {
  /**
   * The matcher each install command writes; an event without one is not installed.
   * `snapshots`: `session-snapshot install`. `everything`: `ai-runtime install`.
   */
  readonly matcher?: { readonly snapshots?: string; readonly everything?: string };
  /** Claude continues while the hook runs. */
  readonly isAsync?: true;
  readonly timeoutSeconds?: number;
  readonly snapshot: SnapshotTrigger | "any-growth-on-resume";
  /** `show` gives Claude the saved checkpoint; the others say what the payload adds to it; `git` only reads the repository. */
  readonly checkpoint: "show" | "prompt" | "tool-call" | "answer" | "failure" | "git" | "none";
  /**
   * When the files are saved. `always`: at each such event; a mark of the transcript brings one at any event.
   * `before-command`: when the command that follows can destroy files.
   */
  readonly files?: "always" | "before-command";
  /** The event reports a finished tool call. */
  readonly finishes?: "completed" | "failed";
  /** What a cclaude that waits for this claude receives. */
  readonly report: "session" | "failure" | "end" | "nothing";
  /** What a host learns about Claude's turns. Only the process id counts: old clients pass another session's id at a start. */
  readonly turn?: "session-started" | "turn-ended";
  /** Waits for the session's async hook, because Claude may exit right after this event. */
  readonly awaitsAsyncHook?: true;
  /** No other event of this session follows. */
  readonly isLast?: true;
}

interface HookEventRow {
  /** First client version known to accept the event in its settings. "0.0.0": the oldest client measured accepts it. */
  readonly since: string;
  readonly handling?: HookHandling;
}

/** A SessionEnd hook is killed after 1.5 s unless it sets its own timeout. Clients do not enforce an async hook's timeout. */
const timeoutSeconds = 10;
const everyMatcher = { snapshots: "*", everything: "*" };
/** Events after which the conversation may end or be replaced: the hook copies whatever is new. */
const copiesGrowth = { matcher: everyMatcher, timeoutSeconds, snapshot: "any-growth" } as const;

/** Every hook event of Claude Code. A new event is a new row; the installs write the rows in this order. */
const hookEvents = {
  SessionStart: {
    since: "0.0.0",
    handling: {
      // Only a resumed transcript has content, which may have grown while no hook was installed.
      matcher: { snapshots: "resume", everything: "*" },
      timeoutSeconds,
      snapshot: "any-growth-on-resume",
      checkpoint: "show",
      // Old clients pass a throw-away session id on resume, and the old session's id on a fork.
      report: "nothing",
      turn: "session-started",
    },
  },
  UserPromptSubmit: {
    since: "0.0.0",
    handling: {
      matcher: { everything: "*" },
      timeoutSeconds,
      snapshot: "none",
      checkpoint: "prompt",
      files: "always",
      report: "session",
    },
  },
  PreToolUse: {
    since: "0.0.0",
    handling: {
      // Claude waits for this hook before each Bash command.
      matcher: { snapshots: "Bash", everything: "Bash" },
      timeoutSeconds,
      snapshot: "none",
      checkpoint: "none",
      files: "before-command",
      report: "nothing",
    },
  },
  PostToolUse: {
    since: "0.0.0",
    handling: {
      matcher: everyMatcher,
      // Claude writes the tool's result to the transcript after the hook, so the hook waits for it in the background.
      isAsync: true,
      timeoutSeconds,
      snapshot: "interval",
      checkpoint: "tool-call",
      report: "session",
      finishes: "completed",
    },
  },
  PostToolUseFailure: {
    since: "2.0.60",
    handling: {
      matcher: everyMatcher,
      isAsync: true,
      timeoutSeconds,
      snapshot: "interval",
      checkpoint: "none",
      report: "session",
      finishes: "failed",
    },
  },
  PreCompact: {
    since: "0.0.0",
    handling: {
      ...copiesGrowth,
      checkpoint: "git",
      files: "always",
      report: "session",
    },
  },
  Stop: {
    since: "0.0.0",
    handling: {
      ...copiesGrowth,
      // `claude -p` exits right after Stop and kills async hooks; 2.1.197 then skips SessionEnd too.
      awaitsAsyncHook: true,
      checkpoint: "answer",
      files: "always",
      report: "session",
      turn: "turn-ended",
    },
  },
  StopFailure: {
    since: "2.1.78",
    handling: {
      // `claude -p` does not wait for this hook. Async would only add a process for the exit to kill.
      ...copiesGrowth,
      checkpoint: "failure",
      files: "always",
      report: "failure",
      turn: "turn-ended",
    },
  },
  SessionEnd: {
    since: "0.0.0",
    handling: {
      ...copiesGrowth,
      checkpoint: "git",
      files: "always",
      report: "end",
      isLast: true,
    },
  },
  Notification: { since: "0.0.0" },
  SubagentStop: { since: "0.0.0" },
  SubagentStart: { since: "2.1.36" },
  PermissionRequest: { since: "2.1.36" },
  Setup: { since: "2.1.36" },
  TeammateIdle: { since: "2.1.36" },
  TaskCompleted: { since: "2.1.36" },
  PostCompact: { since: "2.1.76" },
  PermissionDenied: { since: "2.1.112" },
  TaskCreated: { since: "2.1.112" },
  Elicitation: { since: "2.1.112" },
  ElicitationResult: { since: "2.1.112" },
  ConfigChange: { since: "2.1.112" },
  WorktreeCreate: { since: "2.1.112" },
  WorktreeRemove: { since: "2.1.112" },
  InstructionsLoaded: { since: "2.1.112" },
  CwdChanged: { since: "2.1.112" },
  FileChanged: { since: "2.1.112" },
  PostToolBatch: { since: "2.1.128" },
  UserPromptExpansion: { since: "2.1.128" },
  MessageDisplay: { since: "2.1.152" },
  DirectoryAdded: { since: "2.1.225" },
  PreModelSwitch: { since: "2.1.252" },
  PostModelSwitch: { since: "2.1.252" },
} as const satisfies Record<string, HookEventRow>;

export type HookEvent = keyof typeof hookEvents;

/** Fires after each tool call; the only event that the plugin for claude-hooks handles. */
export const toolCallEvent: HookEvent = "PostToolUse";
/** Our own tests of the hook send this event, because the hook takes a snapshot for it at any size. */
export const probeEvent: HookEvent = "Stop";
/** The hook for this event tells Claude, when it resumes, what a restore took away. */
export const sessionStartEvent: HookEvent = "SessionStart";
/** cclaude needs a hook for this event to learn how a session ended. */
export const sessionEndEvent: HookEvent = "SessionEnd";

export const handledEvents: readonly HookEvent[] = namesOf(hookEvents).filter((name) => "handling" in hookEvents[name]);

/** An event without a row, or a row without handling: the hook only reports which session is running. */
const unhandled: HookHandling = { snapshot: "none", checkpoint: "none", report: "session" };

export function handlingOf(event: string): HookHandling {
  return rowOf(event)?.handling ?? unhandled;
}

/** Whether that version accepts the event in its settings. Unknown version: only events that all versions accept. */
export function acceptsHookEvent(version: ClaudeVersion | undefined, event: string): boolean {
  const since = rowOf(event)?.since;
  return since !== undefined && (since === "0.0.0" || isAtLeast(version, since));
}

/** Whether a snapshot mark with this reason was taken when the turn failed or the session ended. */
export function isEndReason(reason: string): boolean {
  const { report } = handlingOf(reason);
  return report === "failure" || report === "end";
}

function rowOf(event: string): HookEventRow | undefined {
  return Object.hasOwn(hookEvents, event) ? hookEvents[event as HookEvent] : undefined;
}

function namesOf<Name extends string>(rows: Record<Name, HookEventRow>): Name[] {
  return Object.keys(rows) as Name[];
}

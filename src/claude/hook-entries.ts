import { isWindowsPath, programName, shellCommand } from "./hook-command.ts";
import { canClaude, knowsHookEvent, type ClaudeVersion } from "./versions.ts";

export interface CommandHook {
  readonly type: "command";
  readonly command: string;
  readonly args?: readonly string[];
  readonly async?: true;
  /** Seconds. */
  readonly timeout: number;
}

export interface HookEntry {
  readonly event: string;
  readonly matcher: string;
  readonly hook: CommandHook;
}

/**
 * When a snapshot may be due. Only PostToolUse runs in the background: Claude writes the transcript after the hook, so the hook
 * waits for it, and nobody should wait for the hook. The rest is synchronous and quick:
 * - Stop: `-p` exits right behind it and kills background hooks, often before they start; 2.1.197 then skips SessionEnd as well.
 * - StopFailure: fired and forgotten by `-p` either way; in the background it would be one more process for the exit to kill.
 * - PreCompact, SessionEnd: the last moment to see what is there.
 * - SessionStart: a resumed transcript is complete already, and may have grown while we were not installed.
 */
interface Moment {
  readonly event: string;
  readonly matcher: string;
  readonly background: boolean;
}

const MOMENTS: readonly Moment[] = [
  { event: "SessionStart", matcher: "resume", background: false },
  { event: "PostToolUse", matcher: "*", background: true },
  { event: "PreCompact", matcher: "*", background: false },
  { event: "Stop", matcher: "*", background: false },
  { event: "StopFailure", matcher: "*", background: false },
  { event: "SessionEnd", matcher: "*", background: false },
];

/** With checkpoints: every start of a session may have something to hear, and a prompt says what the work is about. */
const ALL_MOMENTS: readonly Moment[] = [
  { event: "SessionStart", matcher: "*", background: false },
  { event: "UserPromptSubmit", matcher: "*", background: false },
  ...MOMENTS.filter(({ event }) => event !== "SessionStart"),
];

/** SessionEnd hooks are cut off after 1.5 s unless their own timeout says otherwise; a background hook's is not enforced. */
const TIMEOUT_SECONDS = 10;

interface Client {
  readonly executable: string;
  readonly version: ClaudeVersion | undefined;
}

/** The snapshot hooks for an executable (`session-snapshot`, or `ai-runtime` by its absolute path) and a Claude version. */
export function snapshotHookEntries(client: Client): HookEntry[] {
  const isNamed = programName(client.executable) === "session-snapshot";
  return entriesFor(client, MOMENTS, isNamed ? ["hook"] : ["session-snapshot", "hook"]);
}

/** One hook for each moment that does everything: snapshots and checkpoints in one process. */
export function allHookEntries(client: Client): HookEntry[] {
  return entriesFor(client, ALL_MOMENTS, ["hook"]);
}

function entriesFor({ executable, version }: Client, moments: readonly Moment[], words: string[]): HookEntry[] {
  const call = canStartWithoutShell(executable, version)
    ? { command: executable, args: words }
    : { command: shellCommand(executable, words) };
  return moments
    .filter(({ event }) => knowsHookEvent(version, event))
    .map(({ event, matcher, background }) => ({
      event,
      matcher,
      hook: { type: "command", ...call, ...(background ? { async: true } : {}), timeout: TIMEOUT_SECONDS },
    }));
}

function canStartWithoutShell(executable: string, version: ClaudeVersion | undefined): boolean {
  // Unknown version: the shell form runs everywhere it was tried — but on Windows the shell may be bash, cmd or PowerShell,
  // and no one spelling suits all three.
  return version === undefined ? isWindowsPath(executable) : canClaude(version, "execFormHooks");
}

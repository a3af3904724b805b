import { isWindowsPath, programName, shellCommand } from "./hook-command.ts";
import { acceptsHookEvent, handledEvents, handlingOf, type HookEvent, type HookHandling } from "./hook-event.ts";
import { canClaude, type ClaudeVersion } from "../versions.ts";

export interface CommandHook {
  readonly type: "command";
  readonly command: string;
  readonly args?: readonly string[];
  readonly async?: true;
  /** Seconds. */
  readonly timeout?: number;
}

export interface HookEntry {
  readonly event: HookEvent;
  readonly matcher: string;
  readonly hook: CommandHook;
}

interface Client {
  readonly executable: string;
  readonly version: ClaudeVersion | undefined;
}

/** The hooks of `session-snapshot install`. The executable is `session-snapshot`, or `ai-runtime` by its absolute path. */
export function snapshotHookEntries(client: Client): HookEntry[] {
  const isNamed = programName(client.executable) === "session-snapshot";
  return entriesFor(client, "snapshots", isNamed ? ["hook"] : ["session-snapshot", "hook"]);
}

/** The hooks of `ai-runtime install`: one process for each event takes snapshots and keeps checkpoints. */
export function allHookEntries(client: Client): HookEntry[] {
  return entriesFor(client, "everything", ["hook"]);
}

type Install = keyof NonNullable<HookHandling["matcher"]>;

function entriesFor({ executable, version }: Client, install: Install, words: string[]): HookEntry[] {
  const call = canStartWithoutShell(executable, version)
    ? { command: executable, args: words }
    : { command: shellCommand(executable, words) };
  return handledEvents.flatMap((event): HookEntry[] => {
    const { matcher, isAsync, timeoutSeconds } = handlingOf(event);
    if (matcher?.[install] === undefined || !acceptsHookEvent(version, event)) return [];
    const limits = { ...(isAsync ? { async: isAsync } : {}), ...(timeoutSeconds ? { timeout: timeoutSeconds } : {}) };
    return [{ event, matcher: matcher[install], hook: { type: "command", ...call, ...limits } }];
  });
}

function canStartWithoutShell(executable: string, version: ClaudeVersion | undefined): boolean {
  // Unknown version: the shell form works in every client tested. On Windows the shell may be bash, cmd or PowerShell, and no
  // quoting suits all three, so the form without a shell is used there.
  return version === undefined ? isWindowsPath(executable) : canClaude(version, "execFormHooks");
}

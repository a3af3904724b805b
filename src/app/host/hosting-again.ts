import { isNothing, type LostWork, nothingLost } from "../../core/restart/lost-work.ts";
import { splitArguments } from "../../claude/argv/flags.ts";
import { promptWords } from "../../claude/argv/new-conversation.ts";
import {
  keptArguments,
  restartArguments,
  startArguments,
  withPermissionMode,
} from "../../claude/argv/restart-arguments.ts";
import { contextMessage, promptWithLostWork } from "../../core/restart/context-message.ts";
import { Failure } from "../../core/failure.ts";
import { heldSession, type HostRecord } from "../../store/hosts/host-records.ts";
import { findRestartMode } from "../resume/restart-mode.ts";
import type { HostStart } from "./registry.ts";

/**
 * Restarts a program whose host died, in its last conversation. Without a conversation yet, it starts with its original
 * prompt, or after a /clear with no prompt.
 */
export function hostingAgain(
  record: HostRecord,
  {
    hasConversation,
    transcriptPath,
    isIdle = false,
    lost = nothingLost,
  }: {
    readonly hasConversation: boolean;
    readonly transcriptPath?: string | undefined;
    /** Claude waited for the user, and is to wait again. */
    readonly isIdle?: boolean;
    readonly lost?: LostWork;
  },
): Omit<HostStart, "size"> {
  const { startsAttached: _, ...plan } = record.plan;
  const [executable = process.execPath, ...argv] = plan.command;
  const id = heldSession(record);
  if (id === null) {
    throw new Failure("failed", `the conversation of ${plan.id} is not known`, {
      hint: `Continue in ${plan.directory} with: cclaude --continue`,
    });
  }
  const again = id === plan.sessionId ? argv : ["--session-id", id, ...keptArguments(argv)];
  // The calls of a lost conversation keep their effects.
  const anew = isNothing(lost)
    ? again
    : startArguments(argv, { id, prompt: promptWithLostWork(promptWords(splitArguments(argv))[0], lost) });
  const mode = findRestartMode(argv, transcriptPath, plan.created, record.status?.reportedMode)?.mode;
  const limited = withPermissionMode(argv, mode);
  const prompt = isIdle && isNothing(lost) ? undefined : contextMessage("crash", undefined, undefined, lost);
  const words = hasConversation ? restartArguments(limited, { id, prompt }) : anew;
  return { ...plan, command: [executable, ...words], sessionId: id, run: null };
}

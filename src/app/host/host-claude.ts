import { isNothing, type LostWork, nothingLost } from "../../core/restart/lost-work.ts";
import { type Segment, splitArguments, valueOf } from "../../claude/argv/flags.ts";
import { isNewConversation, promptWords } from "../../claude/argv/new-conversation.ts";
import {
  keptArguments,
  restartArguments,
  startArguments,
  withPermissionMode,
} from "../../claude/argv/restart-arguments.ts";
import { permissionModeOf } from "../../claude/argv/run-arguments.ts";
import { contextMessage, promptWithLostWork } from "../../core/restart/context-message.ts";
import { Failure } from "../../core/failure.ts";
import { makeRunId } from "../../core/run/run-id.ts";
import type { RunPlan } from "../../core/run/run-record.ts";
import { heldSession, type HostRecord } from "../../store/hosts/host-records.ts";
import { runDirectory } from "../../store/runs/run-paths.ts";
import type { Environment } from "../environment.ts";
import { findClaude } from "../find-claude.ts";
import { findRestartMode } from "../resume/restart-mode.ts";
import type { HostStart } from "./registry.ts";

export type Hosting = Omit<HostStart, "size" | "run"> & { readonly run: RunPlan };

/** How a host runs cclaude with these arguments: supervised as usual, and registered as a run. */
export function hostingOfClaude(environment: Environment, argv: readonly string[]): Hosting {
  const { variables, cwd, now } = environment;
  // Searched before the host starts, so a missing claude is reported on the user's terminal.
  const claude = findClaude(variables, process.execPath);
  const id = makeRunId(now(), Math.random);
  const segments = splitArguments(argv);
  const { sessionId, words } = chooseSession(segments, argv);
  return {
    id,
    command: [process.execPath, ...words],
    name: "cclaude",
    directory: cwd,
    sessionId,
    run: {
      id,
      kind: "interactive",
      task: promptWords(segments)[0] ?? "",
      cwd,
      directory: runDirectory(cwd, id),
      sessionId: sessionId ?? "",
      claude,
      flags: keptArguments(argv),
      permissionMode: permissionModeOf(segments),
      claudeConfig: environment.claudeConfig,
      created: now(),
      maxWait: null,
      maxBudgetUsd: null,
    },
  };
}

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

/** Gives a new conversation an id chosen here, so it is known even if the host dies before the first hook. */
function chooseSession(
  segments: readonly Segment[],
  argv: readonly string[],
): { sessionId: string | null; words: string[] } {
  if (!isNewConversation(segments)) return { sessionId: valueOf(segments, "session-id") ?? null, words: [...argv] };
  const sessionId = crypto.randomUUID();
  return { sessionId, words: ["--session-id", sessionId, ...argv] };
}

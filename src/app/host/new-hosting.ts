import { type Segment, splitArguments, valueOf } from "../../claude/argv/flags.ts";
import { isNewConversation, promptWords } from "../../claude/argv/new-conversation.ts";
import { keptArguments } from "../../claude/argv/restart-arguments.ts";
import { permissionModeOf } from "../../claude/argv/run-arguments.ts";
import { makeRunId } from "../../core/run/run-id.ts";
import type { RunPlan } from "../../core/run/run-record.ts";
import { runDirectory } from "../../store/runs/run-paths.ts";
import type { Environment } from "../environment.ts";
import { findClaude } from "../find-claude.ts";
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

/** Gives a new conversation an id chosen here, so it is known even if the host dies before the first hook. */
function chooseSession(
  segments: readonly Segment[],
  argv: readonly string[],
): { sessionId: string | null; words: string[] } {
  if (!isNewConversation(segments)) return { sessionId: valueOf(segments, "session-id") ?? null, words: [...argv] };
  const sessionId = crypto.randomUUID();
  return { sessionId, words: ["--session-id", sessionId, ...argv] };
}

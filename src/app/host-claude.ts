import { flagsOf, isSupervisable, type Segment, splitArguments, valueOf } from "../claude/flags.ts";
import { keptArguments, restartArguments } from "../claude/restart-arguments.ts";
import { permissionModeOf } from "../claude/run-arguments.ts";
import { contextMessage } from "../core/context-message.ts";
import { Failure } from "../core/failure.ts";
import { makeRunId } from "../core/run-id.ts";
import type { HostRecord } from "../store/host-records.ts";
import { runDirectory } from "../store/run-paths.ts";
import type { Environment } from "./environment.ts";
import { findClaude } from "./find-claude.ts";
import type { HostStart } from "./hosts.ts";

export type Hosting = Omit<HostStart, "size" | "greeting">;

/** cclaude, with these arguments, as a host is to run it: supervised as it always is, and known as a run. */
export function hostingOfClaude(environment: Environment, argv: readonly string[]): Hosting {
  const { variables, cwd, now } = environment;
  // Looked for here, where somebody is there to be told that it is missing.
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
      task: promptIn(segments) ?? "",
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

/** The conversation that a host was holding when it died. */
export const heldSession = ({ plan, session }: HostRecord): string | null => session?.id ?? plan.sessionId;

/**
 * The same again, going on with its conversation: for one whose host died, with the machine or without. One that had none yet
 * begins as it did, with its prompt; after a /clear, as that left it.
 */
export function hostingAgain(record: HostRecord, { hasConversation }: { readonly hasConversation: boolean }): Hosting {
  const { plan } = record;
  const [executable = process.execPath, ...argv] = plan.command;
  const id = heldSession(record);
  if (id === null) {
    throw new Failure("failed", `it is not known which conversation ${plan.id} was holding`, {
      hint: `Go on in ${plan.directory} with: cclaude --detachable --continue`,
    });
  }
  const again = id === plan.sessionId ? argv : ["--session-id", id, ...keptArguments(argv)];
  const words = hasConversation ? restartArguments(argv, { id, prompt: contextMessage("crash", undefined) }) : again;
  return { ...plan, command: [executable, ...words], sessionId: id, run: null };
}

/** A conversation that is new gets an id of ours: so it is known from the first moment on, whatever happens. */
function chooseSession(
  segments: readonly Segment[],
  argv: readonly string[],
): { sessionId: string | null; words: string[] } {
  const isNew = isSupervisable(segments) && flagsOf(segments).every(({ flag }) => flag.restart !== "drop");
  if (!isNew) return { sessionId: valueOf(segments, "session-id") ?? null, words: [...argv] };
  const sessionId = crypto.randomUUID();
  return { sessionId, words: ["--session-id", sessionId, ...argv] };
}

function promptIn(segments: readonly Segment[]): string | undefined {
  const words = segments.flatMap((segment) => {
    if (segment.kind === "prompt") return segment.words;
    return segment.kind === "operands" ? segment.words.slice(1) : [];
  });
  return words[0];
}

import { type Segment, splitArguments, valueOf } from "../../claude/argv/flags.ts";
import { restartArguments } from "../../claude/argv/restart-arguments.ts";
import { streamMessage } from "../../claude/stream/stream-message.ts";
import { contextMessage, type Digest, type Interruption } from "../../core/restart/context-message.ts";
import type { InputFeed } from "../../io/process/feed-input.ts";
import { isTerminal } from "../../io/terminal/terminal-modes.ts";
import type { Environment } from "../environment.ts";
import type { Gathered } from "../resume/gather-evidence.ts";
import { lostWork } from "../resume/lost-work.ts";
import type { FoundSession } from "../session/find-session.ts";
import { projectDirectoryOf } from "../session/project-directory.ts";
import type { AttemptStart } from "./attempts.ts";

/** What the next claude is told; undefined when it has nothing to do. `digest`: what a restore took away. */
export function restartPrompt(
  environment: Environment,
  { session, midTurn, evidence }: Gathered & { readonly session: FoundSession },
  cause: Interruption,
  digest: Digest | undefined,
): string | undefined {
  // At the prompt of a terminal claude had nothing to do: the user continues.
  const isIdle = evidence.interactive && !midTurn && cause === "crash" && !evidence.finalError;
  const after = cause === "overload" ? digest : undefined;
  return isIdle ? undefined : contextMessage(cause, after, undefined, lostWork(environment, session.id));
}

/**
 * The stdin of the next claude. It has the prompt where claude reads one there, because other users can read a command line. In a
 * terminal claude reads only keys.
 */
export function restartInput(
  prompt: string | undefined,
  segments: readonly Segment[],
  interactive: boolean,
  feed: InputFeed,
): AttemptStart["input"] {
  if (prompt !== undefined && valueOf(segments, "input-format") === "stream-json") {
    return { first: streamMessage(prompt), feed };
  }
  if (prompt !== undefined && !interactive) return { text: prompt };
  // The first claude has already read a pipe.
  return isTerminal(0) ? undefined : "empty";
}

/** The attempt that resumes a conversation. The prompt is an argument unless `input` has it. */
export function nextAttempt({
  argv,
  session,
  prompt,
  input,
  directory,
}: {
  readonly argv: readonly string[];
  readonly session: FoundSession;
  readonly prompt: string | undefined;
  readonly input: AttemptStart["input"];
  readonly directory: string;
}): AttemptStart {
  const promptArgument = typeof input === "object" ? undefined : prompt;
  return {
    segments: splitArguments(restartArguments(argv, { id: session.id, prompt: promptArgument })),
    session,
    directory: projectDirectoryOf(session.transcriptPath, directory),
    input,
  };
}

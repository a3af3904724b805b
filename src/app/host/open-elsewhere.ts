import { hasFlag, isSupervisable, type Segment, splitArguments, valueOf } from "../../claude/argv/flags.ts";
import { isClaudeSessionId, sessionOfFile } from "../../claude/paths.ts";
import { customTitle, isBegunByProgram } from "../../claude/transcript/conversation-choice.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { readRange, withFile } from "../../io/files/read-file.ts";
import { isTerminal } from "../../io/terminal/terminal-modes.ts";
import { type Lock, tryLock } from "../../store/lock.ts";
import { bestEffort } from "../best-effort.ts";
import { type Environment, hostEventsVariable } from "../environment.ts";
import { type Conversation, listConversations } from "../session/list-conversations.ts";
import { readTranscriptEnding } from "../session/transcript-end.ts";
import { findHolder, type Holder, holderFinder } from "../session/find-holder.ts";

export { askLine, askLineWithin } from "../../io/terminal/ask-line.ts";

export interface OpenElsewhere {
  readonly sessionId: string;
  readonly holder: Holder;
}

/** A cclaude claims the conversation that it opens for this long: by then its own records and those of its claude show it. */
const claimMs = 10_000;
const pollPauseMs = 50;

/**
 * Whether claude, started with these arguments, would open a conversation that is open elsewhere. If not, this process claims the
 * conversation: of several cclaudes that start at the same moment, one opens it and the others find it open.
 */
export async function findOpenElsewhere(
  environment: Environment,
  argv: readonly string[],
): Promise<OpenElsewhere | undefined> {
  // A host checks before it starts its program.
  if (environment.variables[hostEventsVariable] !== undefined) return undefined;
  const sessionId = openedSession(environment, splitArguments(argv));
  if (sessionId === undefined) return undefined;
  const deadline = performance.now() + 2 * claimMs;
  for (;;) {
    const claim = claimConversation(environment, sessionId);
    const holder = findHolder(environment, sessionId, undefined);
    if (holder && claim !== "busy") claim?.release();
    if (holder) return { sessionId, holder };
    if (claim !== "busy") {
      // Its claude may leave the conversation later, as with /clear.
      setTimeout(() => claim?.release(), claimMs).unref();
      return undefined;
    }
    if (performance.now() > deadline) return undefined;
    await Bun.sleep(pollPauseMs);
  }
}

/** Undefined when no lock can be made: then only the records of others protect the conversation. */
const claimConversation = (environment: Environment, sessionId: string): Lock | "busy" | undefined =>
  bestEffort(
    environment,
    () => {
      makeDirectory(environment.paths.locks);
      return tryLock(environment.paths.openingLock(sessionId)) ?? "busy";
    },
    undefined,
  );

/** The conversation that `--adopt` means: the one that these arguments open, else the newest of this directory that is open. */
export async function findAdoptable(
  environment: Environment,
  argv: readonly string[],
): Promise<OpenElsewhere | undefined> {
  const segments = splitArguments(argv);
  if (hasFlag(segments, "resume") || hasFlag(segments, "continue")) return findOpenElsewhere(environment, argv);
  const find = holderFinder(environment);
  for (const { sessionId, path } of listConversations(environment, environment.cwd)) {
    const holder = find(sessionId, path);
    if (holder) return { sessionId, holder };
  }
  return undefined;
}

/** Settles when the conversation is no longer open elsewhere. What holds it is no child of ours, so its end reports nothing. */
export async function untilClosed(environment: Environment, { sessionId }: OpenElsewhere): Promise<void> {
  while (findHolder(environment, sessionId, undefined)) await Bun.sleep(pollIntervalMs);
}

const pollIntervalMs = 500;

/** The conversation that claude continues; undefined when it starts a new one, makes a copy, or lets the user choose. */
function openedSession(environment: Environment, segments: readonly Segment[]): string | undefined {
  if (!isSupervisable(segments) || hasFlag(segments, "fork-session")) return undefined;
  if (hasFlag(segments, "resume")) return namedSession(environment, valueOf(segments, "resume") ?? "");
  if (!hasFlag(segments, "continue")) return undefined;
  return newestConversation(environment, hasFlag(segments, "print") || !isTerminal(1));
}

/** `--resume` accepts an id, the path of a transcript, or the name of a session of this directory. Anything else is a search. */
function namedSession(environment: Environment, given: string): string | undefined {
  const id = sessionOfFile(given.split(/[\\/]/).at(-1) ?? "") ?? given;
  if (isClaudeSessionId(id)) return id;
  const isNamed = ({ path }: Conversation): boolean => readTitle(path)?.toLowerCase() === given.toLowerCase();
  const [named, ...others] = listConversations(environment, environment.cwd).filter(isNamed);
  return others.length === 0 ? named?.sessionId : undefined;
}

/** Names and entry points are searched only this far from the ends of a transcript: it may have hundreds of megabytes. */
const labelBytes = 64 * 1024;

const readTitle = (path: string): string | undefined =>
  withFile(path, ({ fd, size }) => {
    const tail = Buffer.from(readRange(fd, Math.max(0, size - labelBytes), size)).toString();
    return customTitle(tail) ?? customTitle(readHead(fd, size));
  });

const readHead = (fd: number, size: number): string =>
  Buffer.from(readRange(fd, 0, Math.min(size, labelBytes))).toString();

/** `--continue` opens the newest transcript of the directory that holds a conversation; in a terminal, one that a user began. */
function newestConversation(environment: Environment, isPrinting: boolean): string | undefined {
  const isChosen = ({ path }: Conversation): boolean =>
    (isPrinting || !withFile(path, ({ fd, size }) => isBegunByProgram(readHead(fd, size)))) &&
    (readTranscriptEnding(environment, path)?.spoken ?? false);
  return listConversations(environment, environment.cwd).find(isChosen)?.sessionId;
}

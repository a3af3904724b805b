import { type ConversationEntry, readLine } from "../../claude/transcript/conversation-entry.ts";
import {
  type Aside,
  type MarkdownOptions,
  noLimits,
  type MarkdownBlock,
  readableLimits,
  renderConversation,
} from "../../claude/markdown/markdown.ts";
import type { RestoreChoice } from "../../core/snapshot/choose-mark.ts";
import { Failure } from "../../core/failure.ts";
import type { Mark } from "../../core/snapshot/mark.ts";
import { isSessionId } from "../../core/session-id.ts";
import { fileSize, withFile } from "../../io/files/read-file.ts";
import { forEachLine } from "../../io/files/read-lines.ts";
import { withPlainMirror } from "../../store/snapshots/mirror.ts";
import { hasSnapshot, type SessionView, viewSession } from "../../store/snapshots/session-view.ts";
import { findCallingSession, thisSession } from "../session/calling-session.ts";
import { chooseSession } from "../session/choose-session.ts";
import type { Environment } from "../environment.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { locateTranscript } from "../session/locate-transcript.ts";
import type { Cut } from "./choose-cut.ts";
import { prepareRestore, type RestorePlan, withSource } from "./restore.ts";

export type { Aside, MarkdownBlock };

export interface ViewRequest {
  session: string | undefined;
  cwd: string;
  /** Absent for the current transcript. */
  choice: RestoreChoice | undefined;
  /** Only what came after this point. */
  from?: RestoreChoice | undefined;
  /** Only the turn with this entry: the beginning of its uuid. */
  around?: string | undefined;
  full: boolean;
  showTime: MarkdownOptions["showTime"];
  /** Remarks between the messages; asked for when the first piece is. */
  asides?: () => readonly Aside[];
}

export interface ConversationView {
  sessionId: string;
  path: string;
  size: number;
  /** Absent for the current transcript, and for a point without a mark. */
  mark: Mark | undefined;
  /** Absent for the current transcript. */
  point?: RestorePlan["point"];
  /** A mark that is longer than the transcript, because the transcript was cut or replaced. */
  longerMark: Mark | undefined;
  /** Number of lines that are not JSON, without an unfinished last line. */
  unreadable: number;
  pieces: Iterable<MarkdownBlock>;
}

export function viewConversation(environment: Environment, given: ViewRequest): ConversationView {
  const session = given.session === thisSession ? findCallingSession(environment) : given.session;
  const request = { ...given, session };
  if (request.around !== undefined) return viewAround(environment, request, request.around);
  const { cut, ...source } = findSource(environment, request);
  const read = cut ? withSource(cut, (path) => readEntries(path, cut.size)) : readEntries(source.path);
  const earlier = request.from && entriesBefore(environment, source.sessionId, request.from);
  return conversationOf(request, source, read, earlier && ((entry) => !earlier.has(entry.uuid)));
}

type Entries = ReturnType<typeof readEntries>;

function conversationOf(
  request: ViewRequest,
  source: Omit<Source, "cut">,
  read: Entries,
  isShown: MarkdownOptions["isShown"],
): ConversationView {
  const limits = request.full ? noLimits : readableLimits;
  function* pieces(): Generator<MarkdownBlock> {
    yield* renderConversation(read.entries, {
      limits,
      showTime: request.showTime,
      asides: isShown ? [] : (request.asides?.() ?? []),
      isShown,
    });
  }
  return { ...source, size: read.size, unreadable: read.unreadable, pieces: pieces() };
}

/** The ids of everything up to a point. */
function entriesBefore(environment: Environment, sessionId: string, choice: RestoreChoice): ReadonlySet<string> {
  const { cut } = prepareRestore(environment, sessionId, choice);
  const { entries } = withSource(cut, (path) => readEntries(path, cut.size));
  return new Set(entries.map(({ uuid }) => uuid));
}

/** The turn of an entry, wherever it is: in the transcript, or in an earlier state of the conversation. */
function viewAround(environment: Environment, request: ViewRequest, around: string): ConversationView {
  const sessionId =
    findUnsaved(environment, request.session ?? "")?.sessionId ??
    chooseSession(environment, request.session, request.cwd);
  const view = viewSession(environment.paths, sessionId);
  const live = findLive(environment, sessionId, view);
  const generations = (view?.generations ?? []).filter(({ marks }) => marks.length > 0).toReversed();
  const sources = [
    ...(live ? [{ path: live.path, read: () => readEntries(live.path) }] : []),
    ...generations.map((each) => ({
      path: each.mirrorPath,
      read: () => withPlainMirror(each, each.size, (path) => readEntries(path, each.size)),
    })),
  ];
  for (const { path, read: readSource } of sources) {
    const read = readSource();
    const at = read.entries.findIndex(({ uuid }) => uuid.startsWith(around));
    if (at < 0) continue;
    const isPrompt = ({ speaker, parts }: ConversationEntry): boolean =>
      speaker === "user" && parts.some(({ kind }) => kind === "text");
    const first = Math.max(0, read.entries.slice(0, at + 1).findLastIndex(isPrompt));
    const next = read.entries.findIndex((entry, index) => index > at && isPrompt(entry));
    // What came later may have left the branch of this entry.
    const entries = read.entries.slice(0, next < 0 ? undefined : next);
    const shown = new Set(entries.slice(first).map(({ uuid }) => uuid));
    const source = { sessionId, path, mark: undefined, longerMark: undefined };
    return conversationOf(request, source, { ...read, entries }, ({ uuid }) => shown.has(uuid));
  }
  throw new Failure("not-found", `session ${sessionId} has no entry "${around.slice(0, 60)}"`);
}

/** Reads at most `maxBytes` bytes. */
function readEntries(
  path: string,
  maxBytes = Infinity,
): { entries: ConversationEntry[]; size: number; unreadable: number } {
  const entries: ConversationEntry[] = [];
  let unreadable = 0;
  const size = withFile(path, (file) => {
    const end = Math.min(maxBytes, file.size);
    forEachLine(file.fd, end, (line, ended) => {
      if (line === "") return;
      const reading = readLine(line);
      if (reading.kind === "entry") entries.push(reading.entry);
      else if (reading.kind === "unreadable" && ended) unreadable++;
    });
    return end;
  });
  if (size === undefined) throw new Failure("not-found", `${path} no longer exists`);
  return { entries, size, unreadable };
}

interface Source extends Pick<ConversationView, "sessionId" | "path" | "mark" | "point" | "longerMark"> {
  /** Absent for the current transcript. */
  cut?: Cut;
}

function findSource(environment: Environment, request: ViewRequest): Source {
  const { choice, session } = request;
  const unsaved = choice === undefined && session !== undefined ? findUnsaved(environment, session) : undefined;
  if (unsaved) return unsaved;
  const sessionId = chooseSession(environment, session, request.cwd);
  const view = viewSession(environment.paths, sessionId);
  const generations = view?.generations ?? [];
  const live = choice === undefined ? findLive(environment, sessionId, view) : undefined;
  if (live) {
    const newest = generations.at(-1)?.marks.at(-1);
    const longerMark = newest && newest.size > live.size ? newest : undefined;
    return { sessionId, path: live.path, mark: undefined, longerMark };
  }
  // A view shows what a restore puts back, and verifies it in the same way.
  const { plan, cut } = prepareRestore(environment, sessionId, choice ?? { kind: "newest" });
  const path = "transcript" in cut.source ? cut.source.transcript : cut.source.mirrorPath;
  return { sessionId, path, mark: plan.mark ?? undefined, point: plan.point, longerMark: undefined, cut };
}

function findLive(
  environment: Environment,
  sessionId: string,
  view: SessionView | undefined,
): { path: string; size: number } | undefined {
  const path = locateTranscript(environment, sessionId, view?.transcriptPath);
  const size = path === undefined ? undefined : fileSize(path);
  return path === undefined || size === undefined ? undefined : { path, size };
}

/** Finds a session without a snapshot; this needs the full session id. */
function findUnsaved(environment: Environment, sessionId: string): Source | undefined {
  if (!isSessionId(sessionId) || hasSnapshot(environment.paths, sessionId)) return undefined;
  const path = findTranscript(environment, sessionId);
  return path === undefined ? undefined : { sessionId, path, mark: undefined, longerMark: undefined };
}

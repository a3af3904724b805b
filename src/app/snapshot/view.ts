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
import { hasSnapshot, type SessionView, viewSession } from "../../store/snapshots/session-view.ts";
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

export function viewConversation(environment: Environment, request: ViewRequest): ConversationView {
  const { cut, ...source } = findSource(environment, request);
  const read = cut ? withSource(cut, (path) => readEntries(path, cut.size)) : readEntries(source.path);
  const limits = request.full ? noLimits : readableLimits;
  function* pieces(): Generator<MarkdownBlock> {
    yield* renderConversation(read.entries, {
      limits,
      showTime: request.showTime,
      asides: request.asides?.() ?? [],
    });
  }
  return { ...source, size: read.size, unreadable: read.unreadable, pieces: pieces() };
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

import { type ConversationEntry, readLine } from "../claude/conversation-entry.ts";
import { type MarkdownOptions, noLimits, type Piece, readableLimits, renderConversation } from "../claude/markdown.ts";
import type { MarkChoice } from "../core/choose-mark.ts";
import { Failure } from "../core/failure.ts";
import type { Mark } from "../core/mark.ts";
import { isSessionId } from "../core/session-id.ts";
import { fileSize, withFile } from "../io/read-file.ts";
import { forEachLine } from "../io/read-lines.ts";
import { withPlainMirror } from "../store/mirror.ts";
import { type Generation, viewSession } from "../store/session-view.ts";
import { chooseSession } from "./choose-session.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";
import { planRestore } from "./restore.ts";

export type { Piece };

export interface ViewRequest {
  session: string | undefined;
  cwd: string;
  /** Absent: the transcript as it is now. */
  choice: MarkChoice | undefined;
  full: boolean;
  showTime: MarkdownOptions["showTime"];
}

export interface ConversationView {
  sessionId: string;
  path: string;
  size: number;
  /** Absent when it is the live transcript. */
  mark: Mark | undefined;
  /** A copy that has more than the transcript, which was cut or replaced. */
  longerMark: Mark | undefined;
  /** Lines that are no JSON; an unfinished last one is not yet a line. */
  unreadable: number;
  pieces: Iterable<Piece>;
}

export function viewConversation(environment: Environment, request: ViewRequest): ConversationView {
  const { generation, ...source } = findSource(environment, request);
  const { mark } = source;
  const read =
    generation && mark
      ? withPlainMirror(generation, mark.size, (path) => readEntries(path, mark.size))
      : readEntries(source.path);
  const limits = request.full ? noLimits : readableLimits;
  const pieces = renderConversation(read.entries, { limits, showTime: request.showTime });
  return { ...source, size: read.size, unreadable: read.unreadable, pieces };
}

/** Of the first `most` bytes, or of all. */
function readEntries(
  path: string,
  most = Infinity,
): { entries: ConversationEntry[]; size: number; unreadable: number } {
  const entries: ConversationEntry[] = [];
  let unreadable = 0;
  const size = withFile(path, (file) => {
    const end = Math.min(most, file.size);
    forEachLine(file.fd, end, (line, ended) => {
      if (line === "") return;
      const reading = readLine(line);
      if (reading.kind === "entry") entries.push(reading.entry);
      else if (reading.kind === "unreadable" && ended) unreadable++;
    });
    return end;
  });
  if (size === undefined) throw new Failure("not-found", `${path} is gone`);
  return { entries, size, unreadable };
}

interface Source extends Pick<ConversationView, "sessionId" | "path" | "mark" | "longerMark"> {
  /** That the mark belongs to. */
  generation?: Generation;
}

function findSource(environment: Environment, request: ViewRequest): Source {
  const { choice, session } = request;
  const unsaved = choice === undefined && session !== undefined ? findUnsaved(environment, session) : undefined;
  if (unsaved) return unsaved;
  const sessionId = chooseSession(environment, session, request.cwd);
  const view = viewSession(environment.paths, sessionId);
  const generations = typeof view === "string" ? [] : view.generations;
  const live = choice === undefined ? findLive(environment, sessionId, view) : undefined;
  if (live) {
    const newest = generations.at(-1)?.marks.at(-1);
    const longerMark = newest && newest.size > live.size ? newest : undefined;
    return { sessionId, path: live.path, mark: undefined, longerMark };
  }
  // What is shown of a mark is what a restore would put back, verified in the same way.
  const plan = planRestore(environment, { sessionId, choice: choice ?? { kind: "newest" }, force: false });
  const generation = generations.find(({ number }) => number === plan.generation);
  if (!generation) throw new Failure("corrupt", `mark ${plan.mark.n} belongs to no generation`);
  return { sessionId, path: generation.mirrorPath, mark: plan.mark, longerMark: undefined, generation };
}

function findLive(
  environment: Environment,
  sessionId: string,
  view: ReturnType<typeof viewSession>,
): { path: string; size: number } | undefined {
  const known = typeof view === "string" ? undefined : view.transcriptPath;
  const path = known || findTranscript(environment, sessionId);
  const size = path === undefined ? undefined : fileSize(path);
  return path === undefined || size === undefined ? undefined : { path, size };
}

/** A session that no snapshot was taken of yet can be read all the same, when its whole id is given. */
function findUnsaved(environment: Environment, sessionId: string): Source | undefined {
  if (!isSessionId(sessionId) || viewSession(environment.paths, sessionId) !== "none") return undefined;
  const path = findTranscript(environment, sessionId);
  return path === undefined ? undefined : { sessionId, path, mark: undefined, longerMark: undefined };
}

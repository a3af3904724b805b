import { PointScanner, type ScannedPoints } from "../../claude/transcript/safe-points.ts";
import { type ConversationEvent, ConversationEvents } from "../../claude/transcript/timeline-events.ts";
import { TranscriptReader } from "../../claude/transcript/transcript.ts";
import type { SessionPage, SessionTimeline, TimelineEvent, TimelinePoint } from "../../core/dashboard/contract.ts";
import { thinPoints } from "../../core/dashboard/thin-points.ts";
import { Failure } from "../../core/failure.ts";
import { fileSize, forEachChunk, withFile } from "../../io/files/read-file.ts";
import { isUndoable, listBackups } from "../../store/snapshots/backups.ts";
import { withPlainMirror } from "../../store/snapshots/mirror.ts";
import { listSessionIds, type SessionView, viewSession } from "../../store/snapshots/session-view.ts";
import { contextWindow } from "../../core/snapshot/context-window.ts";
import type { Environment } from "../environment.ts";
import { listFileMarks } from "../files/file-timeline.ts";
import { lastFileRestore } from "../files/undo-files.ts";
import { findHolder } from "../session/find-holder.ts";
import { locateTranscript } from "../session/locate-transcript.ts";
import { recentSessions } from "../session/recent-sessions.ts";
import { titleOfSession } from "../session/session-title.ts";
import { windowOfSession } from "../snapshot/session-window.ts";

/** More would not be seen in a picture. */
const maxPoints = 1_500;

export function listSessions(environment: Environment, skip: number, count: number): SessionPage {
  const sessions = recentSessions(environment, count, skip).map(({ sessionId, title, directory, modified }) => ({
    sessionId,
    title: title ?? null,
    directory: directory ?? null,
    modified,
  }));
  return { sessions, total: listSessionIds(environment.paths).length };
}

/** Everything that the picture of a session shows. */
export async function sessionTimeline(environment: Environment, sessionId: string): Promise<SessionTimeline> {
  const view = viewSession(environment.paths, sessionId);
  const transcriptPath = locateTranscript(environment, sessionId, view?.transcriptPath);
  const scan = scanConversation(transcriptPath, view);
  if (!scan) throw new Failure("not-found", `there is no conversation ${sessionId}`);
  const fileMarks = view ? await listFileMarks(environment, sessionId) : [];
  const holder = findHolder(environment, sessionId, transcriptPath);
  const openIn = holder && ("id" in holder ? `${holder.kind} ${holder.id}` : `process ${holder.pid}`);
  const { points } = scan;
  return {
    sessionId,
    title: titleOfSession(transcriptPath, view) ?? null,
    directory: view?.cwd ?? null,
    transcriptPath: transcriptPath ?? null,
    window: view ? windowOfSession(environment, view) : contextWindow([]),
    turns: scan.turns,
    points: thinPoints(points.flatMap(knownPoint), maxPoints),
    marks: (view?.generations ?? []).flatMap(({ number, marks }) =>
      marks.map(({ n, time, reason, open, size, contextTokens: tokens, lastStep }) => ({
        n,
        time,
        reason: open ? "saved so far" : reason,
        size,
        tokens,
        lastStep,
        generation: number,
      })),
    ),
    fileMarks: fileMarks.map(({ n, time, reason, before, change }) => ({
      n,
      time,
      reason: before === null ? reason : `before ${before}`,
      ...change,
    })),
    events: [...scan.events, ...replacements(view)].sort((a, b) => a.time - b.time),
    openIn: openIn ?? null,
    canUndo: listBackups(environment.paths, sessionId).some(isUndoable),
    canUndoFiles: view?.cwd !== undefined && lastFileRestore(environment, view.cwd) !== undefined,
  };
}

interface Scan extends ScannedPoints {
  readonly events: readonly ConversationEvent[];
}

/** The conversation as it is, or our newest copy of it when Claude has deleted it. */
function scanConversation(transcriptPath: string | undefined, view: SessionView | undefined): Scan | undefined {
  if (transcriptPath !== undefined && fileSize(transcriptPath) !== undefined) return scanFile(transcriptPath);
  const copy = view?.generations.findLast(({ marks }) => marks.length > 0);
  return copy && withPlainMirror(copy, copy.size, (path) => scanFile(path, copy.size));
}

function scanFile(path: string, size = Infinity): Scan | undefined {
  return withFile(path, (file) => {
    const points = new PointScanner();
    const events = new ConversationEvents();
    const reader = new TranscriptReader((line) => {
      points.feed(line);
      events.feed(line);
    });
    forEachChunk(file.fd, 0, Math.min(size, file.size), (bytes) => reader.feed(bytes));
    return { ...points.finish(), events: events.found };
  });
}

const knownPoint = ({ time, tokens, turn }: ScannedPoints["points"][number]): TimelinePoint[] =>
  time === null || tokens === null ? [] : [{ time, tokens, turn }];

/** When the transcript was replaced: by a restore, or by something else. */
const replacements = (view: SessionView | undefined): TimelineEvent[] =>
  (view?.generations ?? []).flatMap(({ ended }) =>
    ended
      ? [
          ended.why === "restored"
            ? { kind: "restore" as const, time: ended.at, text: "restored or undone" }
            : { kind: "replaced" as const, time: ended.at, text: `the transcript was replaced (${ended.why})` },
        ]
      : [],
  );

import { readEndReason } from "../../claude/hooks/session-end.ts";
import type { ReportedMode } from "../../claude/permission-mode.ts";
import { parseLiveSession } from "../../claude/live-sessions.ts";
import { liveSessionsDirectory } from "../../claude/paths.ts";
import type { EndReason } from "../../core/restart/cause.ts";
import { judgeOrphan, type OrphanState } from "../../core/run/orphaned-session.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import { isSessionId } from "../../core/session-id.ts";
import { fileFacts, readText } from "../../io/files/read-file.ts";
import { readSessionEvents, type SessionEvent } from "../../store/cclaude/session-events.ts";
import { heldSession, HostRecords } from "../../store/hosts/host-records.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { hasLiveChild } from "../../store/runs/run-registry.ts";
import { hasSnapshot } from "../../store/snapshots/session-view.ts";
import { bestEffort } from "../best-effort.ts";
import type { Environment } from "../environment.ts";
import { lastReportedMode } from "../resume/gather-evidence.ts";
import { findHolder, type Holder } from "../session/find-holder.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { readTranscriptEnding } from "../session/transcript-end.ts";
import { environmentOfRun } from "./register-run.ts";

/** A session whose cclaude was killed, or ended with its terminal. */
export interface OrphanedSession {
  readonly state: OrphanState;
  /** What has the conversation open now. */
  readonly holder: Holder | undefined;
  /** The conversation that its claude used last; undefined when that is not known. */
  readonly sessionId: string | undefined;
  readonly transcriptPath: string | undefined;
  /** The permission mode that a hook reported last. */
  readonly reportedMode: ReportedMode | undefined;
  /** Milliseconds since 1970: the last sign of life. */
  readonly lastSeen: number;
}

/** Reads what a dead cclaude left behind. The record belongs to a cclaude session that no process supervises. */
export function readOrphanedSession(outside: Environment, paths: RunPaths, record: RunRecord): OrphanedSession {
  const environment = environmentOfRun(outside, record);
  const { plan, status } = record;
  const events = eventsOf(paths, record);
  const last = events.findLast(({ kind, detail }) => kind !== "end" || !endsToContinue(detail));
  const sessionId = last?.sessionId ?? sessionInClaudesList(environment, record) ?? (plan.sessionId || undefined);
  const transcriptPath = sessionId === undefined ? undefined : findTranscript(environment, sessionId);
  const ending = transcriptPath === undefined ? undefined : readTranscriptEnding(environment, transcriptPath);
  const snapshot = sessionId !== undefined && bestEffort(outside, () => hasSnapshot(outside.paths, sessionId), false);
  const modified = transcriptPath === undefined ? 0 : (fileFacts(transcriptPath)?.modified ?? 0);
  const lastSeen = Math.max(status.since, modified, last?.time ?? 0);
  const isSpoken = ending?.spoken ?? false;
  const holder = sessionId === undefined ? undefined : findHolder(environment, sessionId, transcriptPath);
  const state = judgeOrphan({
    kind: plan.kind,
    isRunning: hasLiveChild(record),
    isOpen: holder !== undefined,
    isContinued: sessionId !== undefined && isHostedSince(paths, sessionId, plan.created),
    endReason: endReasonOf(events),
    hasPrompt: sessionId !== undefined && plan.task !== "" && plan.cclaude?.isPiped !== true,
    hasConversation: isSpoken || snapshot,
    // A lost transcript does not say what Claude was doing.
    isAtWork: !isSpoken || (ending?.midTurn ?? false) || ending?.finalError !== undefined,
    age: outside.now() - lastSeen,
  });
  return { state, holder, sessionId, transcriptPath, reportedMode: lastReportedMode(events), lastSeen };
}

/** Only the events of its own claude: a claude that Claude started reports here too. */
function eventsOf(paths: RunPaths, { plan, status }: RunRecord): SessionEvent[] {
  const all = readSessionEvents(paths.sessionEvents(plan.id));
  const own = all.filter(({ claudePid }) => claudePid === status.child?.pid);
  return own.length > 0 ? own : all;
}

/** Claude ends one session and continues in another, as at `/clear`. */
const endsToContinue = (reason: string | null): boolean => reason !== null && readEndReason(reason) === "continues";

function endReasonOf(events: readonly SessionEvent[]): EndReason | null {
  const end = events.findLast(({ kind, detail }) => kind === "end" && !endsToContinue(detail));
  // A later event means that claude was started again.
  if (!end || events.some(({ kind, time }) => kind !== "end" && time > end.time)) return null;
  const reason = readEndReason(end.detail ?? "");
  return reason === "continues" ? null : reason;
}

/** Claude's own list of processes keeps killed ones. The start time excludes a later process with the same pid. */
function sessionInClaudesList({ claudeConfig }: Environment, { status: { child } }: RunRecord): string | undefined {
  if (!child) return undefined;
  const session = parseLiveSession(readText(`${liveSessionsDirectory(claudeConfig)}/${child.pid}.json`) ?? "");
  const isOfChild = session?.startTime === child.startTime && isSessionId(session.sessionId);
  return isOfChild ? session.sessionId : undefined;
}

const isHostedSince = (paths: RunPaths, sessionId: string, time: number): boolean =>
  new HostRecords(paths.root).all().some((host) => host.plan.created > time && heldSession(host) === sessionId);

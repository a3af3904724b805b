import { hasFlag, splitArguments } from "../../claude/argv/flags.ts";
import { isNewConversation } from "../../claude/argv/new-conversation.ts";
import { resumeArguments } from "../../claude/argv/resume-arguments.ts";
import { canContinue, judgeOrphan, type OrphanState } from "../../core/run/orphaned-session.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import { fileFacts } from "../../io/files/read-file.ts";
import { readSessionEvents } from "../../store/cclaude/session-events.ts";
import { heldSession, HostRecords } from "../../store/hosts/host-records.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { listActiveIds, listEndedIds, readIfWhole } from "../../store/runs/run-registry.ts";
import { isAnnounced, markAnnounced, plainName } from "../../store/runs/session-registry.ts";
import { bestEffort } from "../best-effort.ts";
import { type Environment, hostVariable } from "../environment.ts";
import { readFirstPrompt } from "../session/first-prompt.ts";
import { findHolder } from "../session/find-holder.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { listLeftClaudes, wasEndedSince } from "../cclaude/left-claudes.ts";
import { readTranscriptEnding } from "../session/transcript-end.ts";
import { loadSettings } from "../settings.ts";
import { isInterrupted, listActive } from "./find-run.ts";
import { readOrphanedSession } from "./read-orphaned-session.ts";
import { environmentOfRun, runPathsOf } from "./register-run.ts";

/** A session of the present directory that was interrupted and can be continued. */
export interface InterruptedHere {
  /** The first words of its conversation. */
  readonly title: string;
  /** Milliseconds since 1970: its last sign of life. */
  readonly lastSeen: number;
  /** The command that continues it. */
  readonly resume: readonly string[];
  /** Its claude was started without cclaude, so no record of ours lists it. */
  readonly isPlain?: true;
}

/**
 * Returns each interruption once, newest first. Returns none when the arguments print or open an earlier conversation, nor inside
 * a host: the process that started the host has announced them.
 */
export function takeInterruptedHere(environment: Environment, argv: readonly string[]): InterruptedHere[] {
  const segments = splitArguments(argv);
  if (environment.variables[hostVariable] !== undefined) return [];
  if (hasFlag(segments, "print") || !isNewConversation(segments)) return [];
  const found = [take, takePlain].flatMap((each) => bestEffort(environment, () => each(environment), []));
  return found.sort((a, b) => b.lastSeen - a.lastSeen);
}

function take(environment: Environment): InterruptedHere[] {
  const paths = runPathsOf(environment);
  // Then a run is not continued by itself, so the user is told of it.
  const asks = loadSettings(environment).settings.recoverAtLogin === "ask";
  return listActive(paths).flatMap((record): InterruptedHere[] => {
    const { plan, status } = record;
    const isSession = plan.cclaude !== undefined || plan.kind === "interactive";
    const isToBeTold = isSession || (plan.kind === "headless" && asks);
    if (plan.cwd !== environment.cwd || !isToBeTold || !isInterrupted(record)) return [];
    if (isAnnounced(paths, plan.id, status.since)) return [];
    const found = plan.cclaude ? describeSession(environment, record) : describeHosted(environment, record);
    if (found) markAnnounced(paths, plan.id);
    return found ? [found] : [];
  });
}

function describeSession(environment: Environment, record: RunRecord): InterruptedHere | undefined {
  const { plan } = record;
  const { state, sessionId, transcriptPath, lastSeen } = readOrphanedSession(
    environment,
    runPathsOf(environment),
    record,
  );
  if (!canContinue(state)) return undefined;
  const isTerminal = plan.kind === "interactive" && transcriptPath !== undefined;
  const resume = isTerminal
    ? ["cclaude", ...resumeArguments(plan.flags, sessionId)]
    : ["ai-runtime", "resume", plan.id];
  return { title: titleOf(record, transcriptPath), lastSeen, resume };
}

/** Of a host, or with the policy `ask` of a run. */
function describeHosted(environment: Environment, record: RunRecord): InterruptedHere {
  const { id, sessionId } = record.plan;
  const path = sessionId === "" ? undefined : findTranscript(environmentOfRun(environment, record), sessionId);
  return { title: titleOf(record, path), lastSeen: record.status.since, resume: ["ai-runtime", "resume", id] };
}

/** A claude that the user started without cclaude. What our own records know is told, or left alone, by them. */
function takePlain(environment: Environment): InterruptedHere[] {
  const left = listLeftClaudes(environment);
  if (left.length === 0) return [];
  const paths = runPathsOf(environment);
  const known = knownSessions(paths);
  const sessions = new Map(left.map((session) => [session.sessionId, session]));
  return [...sessions.values()].flatMap((session): InterruptedHere[] => {
    const { sessionId, name } = session;
    const transcriptPath = known.has(sessionId) ? undefined : findTranscript(environment, sessionId);
    if (transcriptPath === undefined) return [];
    const lastSeen = fileFacts(transcriptPath)?.modified ?? 0;
    if (isAnnounced(paths, plainName(sessionId), lastSeen)) return [];
    if (!canContinue(judgePlain(environment, sessionId, transcriptPath, lastSeen))) return [];
    markAnnounced(paths, plainName(sessionId));
    const title = name ?? readFirstPrompt(transcriptPath) ?? "";
    return [{ title, lastSeen, resume: ["cclaude", "--resume", sessionId], isPlain: true }];
  });
}

function judgePlain(
  environment: Environment,
  sessionId: string,
  transcriptPath: string,
  lastSeen: number,
): OrphanState {
  const ending = readTranscriptEnding(environment, transcriptPath);
  return judgeOrphan({
    kind: "interactive",
    isRunning: false,
    isOpen: findHolder(environment, sessionId, transcriptPath) !== undefined,
    isContinued: wasEndedSince(transcriptPath),
    endReason: null,
    hasPrompt: false,
    hasConversation: ending?.spoken ?? false,
    isAtWork: ending?.midTurn ?? false,
    age: environment.now() - lastSeen,
  });
}

const maxEndedRuns = 50;

/** The conversations of runs and hosts, also of those that have ended. */
function knownSessions(paths: RunPaths): ReadonlySet<string | null> {
  const ended = listEndedIds(paths).slice(-maxEndedRuns);
  const runs = [...listActiveIds(paths), ...ended].flatMap((id) => readIfWhole(paths, id) ?? []);
  const ofHooks = runs.flatMap(({ plan }) => readSessionEvents(paths.sessionEvents(plan.id)));
  return new Set([
    ...runs.map(({ plan }) => plan.sessionId),
    ...ofHooks.map(({ sessionId }) => sessionId),
    ...new HostRecords(paths.root).all().map(heldSession),
  ]);
}

const titleOf = ({ plan }: RunRecord, transcriptPath: string | undefined): string =>
  plan.task || (transcriptPath === undefined ? undefined : readFirstPrompt(transcriptPath)) || "";

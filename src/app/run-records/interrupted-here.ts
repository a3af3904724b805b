import { hasFlag, splitArguments } from "../../claude/argv/flags.ts";
import { isNewConversation } from "../../claude/argv/new-conversation.ts";
import { resumeArguments } from "../../claude/argv/resume-arguments.ts";
import { canContinue } from "../../core/run/orphaned-session.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import { isAnnounced, markAnnounced } from "../../store/runs/session-registry.ts";
import { bestEffort } from "../best-effort.ts";
import { type Environment, hostVariable } from "../environment.ts";
import { readFirstPrompt } from "../session/first-prompt.ts";
import { findTranscript } from "../session/find-transcript.ts";
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
}

/**
 * Returns each interruption once, newest first. Returns none when the arguments print or open an earlier conversation, nor inside
 * a host: the process that started the host has announced them.
 */
export function takeInterruptedHere(environment: Environment, argv: readonly string[]): InterruptedHere[] {
  const segments = splitArguments(argv);
  if (environment.variables[hostVariable] !== undefined) return [];
  if (hasFlag(segments, "print") || !isNewConversation(segments)) return [];
  return bestEffort(environment, () => take(environment), []).sort((a, b) => b.lastSeen - a.lastSeen);
}

function take(environment: Environment): InterruptedHere[] {
  const paths = runPathsOf(environment);
  return listActive(paths).flatMap((record): InterruptedHere[] => {
    const { plan, status } = record;
    const isSession = plan.cclaude !== undefined || plan.kind === "interactive";
    if (plan.cwd !== environment.cwd || !isSession || !isInterrupted(record)) return [];
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

function describeHosted(environment: Environment, record: RunRecord): InterruptedHere {
  const { id, sessionId } = record.plan;
  const path = sessionId === "" ? undefined : findTranscript(environmentOfRun(environment, record), sessionId);
  return { title: titleOf(record, path), lastSeen: record.status.since, resume: ["ai-runtime", "resume", id] };
}

const titleOf = ({ plan }: RunRecord, transcriptPath: string | undefined): string =>
  plan.task || (transcriptPath === undefined ? undefined : readFirstPrompt(transcriptPath)) || "";

import { type Defect, isDamage } from "../../claude/repair/defect.ts";
import type { Findings } from "../../claude/repair/verify-transcript.ts";
import { fileFacts } from "../../io/files/read-file.ts";
import type { TranscriptTarget } from "../session/choose-transcript.ts";
import type { DeadSubagent } from "../../core/restart/dead-subagent.ts";
import { findDeadSubagents } from "../session/dead-subagents.ts";
import { listTranscripts } from "../session/find-transcript.ts";
import type { Environment } from "../environment.ts";
import { findSideDamage, type SideFileDamage } from "../snapshot/side-files.ts";
import { inspectTranscript } from "./inspect-transcript.ts";

export type { Defect, SideFileDamage };

export interface VerifyReport extends Findings {
  path: string;
  sessionId: string | undefined;
  /** True when there is damage and all of it can be repaired. */
  repairable: boolean;
  /** Two processes have written to the conversation, so it has turns that the next resume does not see. */
  forked: boolean;
}

/** Checks a transcript and compares it with its snapshot. Changes nothing. */
export function verifyTranscript(environment: Environment, target: TranscriptTarget): VerifyReport {
  return inspectTranscript(environment, target, { forRepair: false }, ({ findings }) => reportOf(target, findings));
}

/** The transcript of a session and the files that it refers to. */
export interface SessionReport extends VerifyReport {
  sideFiles: SideFileDamage[];
  /** Subagents that died before their work was done. Not damage: the transcript is whole. */
  subagents: DeadSubagent[];
}

export function verifySession(environment: Environment, target: TranscriptTarget): SessionReport {
  const { sessionId, path, isOwn } = target;
  const subagents = isOwn && sessionId !== undefined ? findDeadSubagents(environment, sessionId, path) : [];
  return { ...verifyTranscript(environment, target), sideFiles: sideDamageOf(environment, target), subagents };
}

/** A copy of a transcript has no side files. */
export const sideDamageOf = (
  environment: Environment,
  { path, sessionId, isOwn }: TranscriptTarget,
): SideFileDamage[] => (isOwn && sessionId !== undefined ? findSideDamage(environment, sessionId, path) : []);

/** Verifies all of Claude's sessions; skips those that disappear meanwhile. */
export function* verifyAll(environment: Environment): Generator<SessionReport> {
  for (const [sessionId, path] of listTranscripts(environment)) {
    if (fileFacts(path)) yield verifySession(environment, { path, sessionId, isOwn: true });
  }
}

export function reportOf({ path, sessionId }: TranscriptTarget, findings: Findings): VerifyReport {
  const damage = findings.defects.filter(isDamage);
  const repairable = damage.length > 0 && damage.every(({ repair }) => repair !== null);
  const forked = findings.defects.some(({ kind }) => kind === "forked-branch");
  return { path, sessionId, ...findings, repairable, forked };
}

import { listChanges, type PlannedChange, type PlanSummary, summarizePlan } from "../claude/plan-changes.ts";
import type { RepairPlan } from "../claude/repair-plan.ts";
import { Failure } from "../core/failure.ts";
import { byteTools } from "../io/byte-tools.ts";
import { DurableError, replaceVerified } from "../io/durable.ts";
import { fileMode } from "../io/read-file.ts";
import { sweepBeside } from "../io/sweep-beside.ts";
import { type Backup, keepBackup, markDone, markReplacement } from "../store/backups.ts";
import { fileHash } from "../store/file-hash.ts";
import type { TranscriptTarget } from "./choose-transcript.ts";
import type { Environment } from "./environment.ts";
import { inspectTranscript, type Inspection } from "./inspect-transcript.ts";
import { checkStaged, partsOf } from "./repaired-file.ts";
import { refuseWhileLive, withSession } from "./session-guard.ts";
import { startOver } from "./snapshot.ts";
import { reportOf, type VerifyReport } from "./verify.ts";

export type { PlannedChange, PlanSummary };

export interface RepairRequest {
  target: TranscriptTarget;
  /** Even while a running claude holds the session. */
  force: boolean;
  /** Only plan. */
  dryRun: boolean;
  /** How long to wait for whoever else works on the session, when nobody sits and waits for us. */
  patience?: number;
}

export interface RepairResult {
  /** As it was found. */
  report: VerifyReport;
  /** Absent when there was nothing to do. */
  plan?: { summary: PlanSummary; changes: PlannedChange[] };
  /** Absent when nothing was changed. */
  backup?: Backup;
}

/** Brings a transcript in order: planned from what is there, written beside it, verified, and only then in its place. */
export function repairTranscript(environment: Environment, request: RepairRequest): Promise<RepairResult> {
  const { target, force, dryRun } = request;
  const id = backupId(target);
  const work = (): RepairResult => {
    if (!force && !dryRun && target.sessionId !== undefined) refuseWhileLive(environment, target.sessionId);
    const result = inspectTranscript(environment, target, { forRepair: true }, (inspection): RepairResult => {
      const report = reportOf(target, inspection.findings);
      if (!inspection.plan) return { report };
      if (!report.repairable) throw notRepairable(report);
      const plan = { summary: summarizePlan(inspection.plan), changes: listChanges(inspection.plan) };
      if (dryRun) return { report, plan };
      return { report, plan, backup: replaceTranscript(environment, target, inspection, inspection.plan) };
    });
    if (result.backup && target.isOwn) startOver(environment, id, target.path, "repair");
    return result;
  };
  return withSession(environment, id, work, request.patience);
}

/** Undo finds the backup of a file that is no session's under a name of its own. */
function backupId({ isOwn, sessionId, path }: TranscriptTarget): string {
  if (isOwn && sessionId !== undefined) return sessionId;
  return `file-${byteTools.hash(new TextEncoder().encode(path)).toString(36)}`;
}

function notRepairable({ path, defects }: VerifyReport): Failure {
  const worst = defects.find(({ severity, repair }) => severity === "damage" && repair === null);
  return new Failure("corrupt", `${path} cannot be repaired: ${worst?.what ?? "it is damaged"}; nothing was changed`, {
    hint: "There is no snapshot of it that has more.",
  });
}

function replaceTranscript(
  environment: Environment,
  target: TranscriptTarget,
  { files, hash }: Inspection,
  plan: RepairPlan,
): Backup {
  const { paths, now } = environment;
  sweepBeside(target.path, now());
  let backup = keepBackup(paths, {
    sessionId: backupId(target),
    kind: "repair",
    target: target.path,
    replacement: null,
    now: now(),
  });
  const refuseChanged = (found: string | undefined): void => {
    if (found === hash) return;
    throw new Failure("locked", `${target.path} is being written to; nothing was changed`);
  };
  refuseChanged(backup.kept?.hash);
  const mode = fileMode(target.path) ?? 0o600;
  const verify = (staged: string): void => {
    checkStaged(staged, plan);
    refuseChanged(fileHash(target.path));
    const replacement = fileHash(staged);
    if (replacement !== undefined) backup = markReplacement(paths, backup, replacement);
  };
  try {
    replaceVerified(target.path, partsOf(plan.records, files), { mode, verify });
  } catch (error) {
    throw error instanceof DurableError && error.cause instanceof Failure ? error.cause : error;
  }
  markDone(paths, backup);
  return backup;
}

import { listChanges, type PlannedChange, type PlanSummary, summarizePlan } from "../../claude/repair/plan-changes.ts";
import type { RepairPlan } from "../../claude/repair/repair-plan.ts";
import { Failure } from "../../core/failure.ts";
import { byteTools } from "../../io/files/byte-tools.ts";
import { DurableError, replaceVerified } from "../../io/durable/durable.ts";
import { fileMode } from "../../io/files/read-file.ts";
import { sweepBeside } from "../../io/durable/sweep-beside.ts";
import { type Backup, keepBackup, markDone, markReplacement } from "../../store/snapshots/backups.ts";
import { fileHash } from "../../store/packing/file-hash.ts";
import type { TranscriptTarget } from "../session/choose-transcript.ts";
import type { Environment } from "../environment.ts";
import { inspectTranscript, type Inspection } from "./inspect-transcript.ts";
import { checkStaged, partsOf } from "./repaired-file.ts";
import { refuseWhileHeld, withSession } from "../session/session-guard.ts";
import { restoreSideFiles, type SideFileDamage } from "../snapshot/side-files.ts";
import { snapshotReplaced } from "../snapshot/take-snapshot.ts";
import { reportOf, sideDamageOf, type VerifyReport } from "./verify.ts";

export type { PlannedChange, PlanSummary };

export interface RepairRequest {
  target: TranscriptTarget;
  /** Repair even while the session is in use. */
  force: boolean;
  /** Plan, but change nothing. */
  dryRun: boolean;
  /** How long to wait for the session lock. */
  lockTimeoutMs?: number;
}

export interface RepairResult {
  /** The state before the repair. */
  report: VerifyReport;
  /** Absent when nothing needs repair. */
  plan?: { summary: PlanSummary; changes: PlannedChange[] };
  /** Absent when nothing was changed. */
  backup?: Backup;
  /** Side files that lost content; those with a copy are put back. */
  sideFiles: SideFileDamage[];
}

/** Plans a repair, writes the result beside the transcript, verifies it, and only then replaces the transcript. */
export function repairTranscript(environment: Environment, request: RepairRequest): Promise<RepairResult> {
  const { target, force, dryRun } = request;
  const id = backupId(target);
  const work = (): RepairResult => {
    if (!force && !dryRun && target.sessionId !== undefined) refuseWhileHeld(environment, target.sessionId);
    // First, because a transcript that cannot be repaired must not keep its side files from it.
    const sideFiles = sideDamageOf(environment, target);
    if (!dryRun) restoreSideFiles(environment, id, target.path, sideFiles);
    const result = inspectTranscript(environment, target, { forRepair: true }, (inspection): RepairResult => {
      const report = reportOf(target, inspection.findings);
      if (!inspection.plan) return { report, sideFiles };
      if (!report.repairable) throw notRepairable(report);
      const plan = { summary: summarizePlan(inspection.plan), changes: listChanges(inspection.plan) };
      if (dryRun) return { report, plan, sideFiles };
      return { report, plan, backup: replaceTranscript(environment, target, inspection, inspection.plan), sideFiles };
    });
    if (result.backup && target.isOwn) snapshotReplaced(environment, id, target.path, "repair");
    return result;
  };
  return withSession(environment, id, work, request.lockTimeoutMs);
}

/** A file that belongs to no session gets a backup id derived from its path. */
function backupId({ isOwn, sessionId, path }: TranscriptTarget): string {
  if (isOwn && sessionId !== undefined) return sessionId;
  return `file-${byteTools.hash(new TextEncoder().encode(path)).toString(36)}`;
}

function notRepairable({ path, defects }: VerifyReport): Failure {
  const worst = defects.find(({ severity, repair }) => severity === "damage" && repair === null);
  return new Failure("corrupt", `${path} cannot be repaired: ${worst?.what ?? "it is damaged"}; nothing was changed`, {
    hint: "No snapshot contains more of it.",
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

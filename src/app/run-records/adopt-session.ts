import { adoptedFlags, budgetOf } from "../../claude/argv/adopted-flags.ts";
import { withPermissionMode } from "../../claude/argv/restart-arguments.ts";
import { Failure } from "../../core/failure.ts";
import type { OrphanState } from "../../core/run/orphaned-session.ts";
import type { RunPlan, RunRecord } from "../../core/run/run-record.ts";
import { discardDirectory } from "../../io/durable/remove-directory.ts";
import { runDirectory, type RunPaths } from "../../store/runs/run-paths.ts";
import { isHeld, writeRun } from "../../store/runs/run-registry.ts";
import { removeSessionRecord } from "../../store/runs/session-registry.ts";
import type { Environment } from "../environment.ts";
import { findRestartMode } from "../resume/restart-mode.ts";
import { projectDirectoryOf } from "../session/project-directory.ts";
import { readSettled } from "./find-run.ts";
import { holdRun } from "./hold-run.ts";
import { type OrphanedSession, readOrphanedSession } from "./read-orphaned-session.ts";

/**
 * Makes a run of a cclaude session that was interrupted: from then on it is resumed, watched and stopped like any other run.
 * Returns other runs unchanged.
 */
export async function adoptSession(environment: Environment, paths: RunPaths, found: RunRecord): Promise<RunRecord> {
  if (!found.plan.cclaude) return found;
  refuseRunning(found);
  const lock = await holdRun(paths, found);
  try {
    // Another process may have adopted it meanwhile.
    const record = readSettled(paths, found.plan.id);
    if (!record.plan.cclaude) return record;
    refuseRunning(record);
    const orphan = readOrphanedSession(environment, paths, record);
    refuseUnfit(paths, record, orphan);
    const adopted: RunRecord = { ...record, plan: planOf(record, orphan) };
    writeRun(paths, adopted);
    discardDirectory(paths.sessionEvents(record.plan.id));
    return adopted;
  } finally {
    lock.release();
  }
}

function planOf(record: RunRecord, orphan: OrphanedSession): RunPlan {
  const { cclaude: _, ...plan } = record.plan;
  const { sessionId = plan.sessionId, transcriptPath } = orphan;
  const mode = findRestartMode(plan.flags, transcriptPath, plan.created, orphan.reportedMode)?.mode;
  const cwd = (transcriptPath === undefined ? undefined : projectDirectoryOf(transcriptPath, plan.cwd)) ?? plan.cwd;
  const flags = withPermissionMode(plan.flags, mode);
  return {
    ...plan,
    sessionId,
    cwd,
    directory: runDirectory(cwd, plan.id),
    permissionMode: mode ?? plan.permissionMode,
    flags: plan.kind === "headless" ? adoptedFlags(flags) : flags,
    maxBudgetUsd: budgetOf(flags),
  };
}

function refuseRunning(record: RunRecord): void {
  if (!isHeld(record)) return;
  const { plan, status } = record;
  throw new Failure("locked", `session ${plan.id} is open in cclaude (process ${status.supervisor?.pid})`, {
    hint: "It runs in its own terminal; continue there.",
  });
}

function refuseUnfit(paths: RunPaths, record: RunRecord, orphan: OrphanedSession): void {
  const { plan, status } = record;
  const { state, sessionId, holder } = orphan;
  if (state === "running") {
    throw new Failure("locked", `the claude of session ${plan.id} still runs (process ${status.child?.pid})`, {
      hint: "Wait until it has ended, or end it.",
    });
  }
  if (state === "over") removeSessionRecord(paths, plan.id);
  const why = refusals[state];
  if (why !== undefined) throw new Failure("not-found", `session ${plan.id} ${why}`, { hint: hintOf(record, orphan) });
  if (!holder) return;
  const where = "id" in holder ? `${holder.kind} ${holder.id}` : `process ${holder.pid}`;
  throw new Failure("locked", `conversation ${sessionId} of session ${plan.id} is open elsewhere (${where})`, {
    hint: "Close it there first: two claudes would write two branches, and the next resume sees only one.",
  });
}

const refusals: Partial<Record<OrphanState, string>> = {
  over: "has ended; there is nothing to resume",
  lost: "cannot be resumed: its conversation, or the prompt that it was to begin with, is gone",
};

const hintOf = ({ plan }: RunRecord, { state, sessionId }: OrphanedSession): string =>
  state === "over" && sessionId !== undefined
    ? `Continue its conversation with: cclaude --resume ${sessionId}`
    : `Continue the newest conversation of ${plan.cwd} with: cclaude --continue`;

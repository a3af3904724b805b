import type { BackfillPlan } from "../../app/backfill/start-backfill.ts";
import type { InstallReport } from "../../app/install/install.ts";
import { exitCodes } from "../exit-codes.ts";
import { formatBytes, formatDuration } from "../format.ts";
import type { Output } from "../output.ts";
import { describePlan, planJson } from "./plan-text.ts";

interface HowInstalled {
  readonly dryRun: boolean;
  readonly unchanged: string;
  readonly done: string;
  /** What is saved in the background; absent for an uninstall, null when there is nothing to save. */
  readonly backfill?: BackfillPlan | null;
  readonly now?: number;
}

/** Reports what an install or uninstall did; a dry run prints only the diff on stdout. */
export function printInstallReport(report: InstallReport, how: HowInstalled, output: Output): number {
  const exitCode = report.failures.length > 0 ? exitCodes.partial : exitCodes.done;
  if (output.mode === "json") {
    const atLogin = report.atLogin ? { atLogin: planJson(report.atLogin) } : {};
    const backfill = backfillJson(how.backfill);
    output.json({ dryRun: how.dryRun, ...report, backup: report.backup ?? null, ...atLogin, ...backfill });
    return exitCode;
  }
  for (const text of [...report.warnings, ...report.failures]) output.warn(text);
  if (report.changes.length === 0 && report.failures.length === 0) output.note(how.unchanged);
  if (how.dryRun && report.diff !== "") output.data(paint(report.diff, output));
  if (how.dryRun && report.atLogin) output.data(describePlan(report.atLogin, output));
  for (const change of report.changes) output.note(how.dryRun ? `would ${change}` : change);
  if (report.backup) output.note(`Backup of ${report.settingsPath}: ${report.backup}`);
  if (!how.dryRun) for (const note of report.atLogin?.notes ?? []) output.note(note);
  if (how.backfill) output.note(describeBackfill(how.backfill, how));
  if (how.dryRun || report.changes.length === 0) return exitCode;
  if (report.failures.length === 0) output.success(how.done);
  else output.note("Partly done; see above.");
  return exitCode;
}

function backfillJson(plan: BackfillPlan | null | undefined): object {
  if (plan === undefined) return {};
  return { backfill: plan && { ...plan, oldest: new Date(plan.oldest).toISOString() } };
}

function describeBackfill({ sessions, bytes, oldest }: BackfillPlan, { dryRun, now = oldest }: HowInstalled): string {
  const what = `${sessions} conversation${sessions === 1 ? "" : "s"} (${formatBytes(bytes)})`;
  const age = `the oldest is ${formatDuration(now - oldest)} old`;
  return dryRun
    ? `would save ${what} in the background; ${age}`
    : `Saving ${what} in the background; ${age}. To see the progress: session-snapshot backfill`;
}

function paint(diff: string, { colors }: Output): string {
  const color: Record<string, (text: string) => string> = { "+": colors.green, "-": colors.red, "@": colors.cyan };
  return diff
    .split("\n")
    .map((line) => (color[line[0] ?? ""] ?? String)(line))
    .join("\n");
}

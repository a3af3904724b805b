import type { InstallReport } from "../../app/install/install.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../output.ts";
import { describePlan, planJson } from "./plan-text.ts";

/** Reports what an install or uninstall did; a dry run prints only the diff on stdout. */
export function printInstallReport(
  report: InstallReport,
  how: { dryRun: boolean; unchanged: string; done: string },
  output: Output,
): number {
  const exitCode = report.failures.length > 0 ? exitCodes.partial : exitCodes.done;
  if (output.mode === "json") {
    const atLogin = report.atLogin ? { atLogin: planJson(report.atLogin) } : {};
    output.json({ dryRun: how.dryRun, ...report, backup: report.backup ?? null, ...atLogin });
    return exitCode;
  }
  for (const text of [...report.warnings, ...report.failures]) output.warn(text);
  if (report.changes.length === 0 && report.failures.length === 0) output.note(how.unchanged);
  if (how.dryRun && report.diff !== "") output.data(paint(report.diff, output));
  if (how.dryRun && report.atLogin) output.data(describePlan(report.atLogin, output));
  for (const change of report.changes) output.note(how.dryRun ? `would ${change}` : change);
  if (report.backup) output.note(`Backup of ${report.settingsPath}: ${report.backup}`);
  if (!how.dryRun) for (const note of report.atLogin?.notes ?? []) output.note(note);
  if (how.dryRun || report.changes.length === 0) return exitCode;
  if (report.failures.length === 0) output.success(how.done);
  else output.note("Partly done; see above.");
  return exitCode;
}

function paint(diff: string, { colors }: Output): string {
  const color: Record<string, (text: string) => string> = { "+": colors.green, "-": colors.red, "@": colors.cyan };
  return diff
    .split("\n")
    .map((line) => (color[line[0] ?? ""] ?? String)(line))
    .join("\n");
}

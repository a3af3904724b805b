import type { InstallReport } from "../app/install.ts";
import type { Output } from "./output.ts";

/** What an install or uninstall did; a dry run is the diff alone, on stdout. */
export function printInstallReport(
  report: InstallReport,
  how: { dryRun: boolean; unchanged: string },
  output: Output,
): void {
  if (output.mode === "json") return output.json({ dryRun: how.dryRun, ...report });
  if (report.changes.length === 0) return output.note(how.unchanged);
  if (how.dryRun && report.diff !== "") output.data(paint(report.diff, output));
  for (const change of report.changes) output.note(how.dryRun ? `would ${change}` : change);
  if (report.backup) output.note(`${report.settingsPath} as it was: ${report.backup}`);
}

function paint(diff: string, { colors }: Output): string {
  const color: Record<string, (text: string) => string> = { "+": colors.green, "-": colors.red, "@": colors.cyan };
  return diff
    .split("\n")
    .map((line) => (color[line[0] ?? ""] ?? String)(line))
    .join("\n");
}

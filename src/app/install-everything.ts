import { allHookEntries } from "../claude/hook-entries.ts";
import { addHooks, removeHooks } from "../claude/settings.ts";
import { installedClaude } from "./claude-version.ts";
import type { Environment } from "./environment.ts";
import { pluginFile, removePlugin } from "./hook-plugin.ts";
import { applySettings, type InstallReport, settingsFor } from "./install.ts";
import { ownExecutable } from "./own-executable.ts";
import { readSettingsFile, withSettings } from "./settings-file.ts";
import { placeShims, removeShims, type ShimChanges } from "./shims.ts";
import { placeSkills, removeSkills, type SkillChanges } from "./skills.ts";

/**
 * Snapshots and checkpoints by one hook command, the status line, the skills, the shims. The hooks take the place of those of
 * `session-snapshot install`, which do half of it: so nothing runs twice.
 */
export async function installEverything(
  environment: Environment,
  { dryRun }: { dryRun: boolean },
): Promise<InstallReport> {
  const executable = ownExecutable();
  const claude = await installedClaude(environment.variables);
  const entries = allHookEntries({ executable, version: claude?.version });
  return withSettings(environment, () => {
    const file = readSettingsFile(environment, settingsFor(environment));
    const additions = { replacing: ["session-snapshot" as const], statusLine: executable };
    const report = applySettings(environment, file, addHooks(file.text, entries, file.undo, additions), dryRun);
    const plugin = pluginFile(environment);
    if (plugin) report.changes.push(...removePlugin(plugin, dryRun));
    return together(report, placeSkills(environment, dryRun), placeShims(executable, dryRun));
  });
}

/** Takes everything of ours out, whichever of our programs put it in. Snapshots and checkpoints stay. */
export function uninstallEverything(environment: Environment, { dryRun }: { dryRun: boolean }): Promise<InstallReport> {
  return withSettings(environment, () => {
    const file = readSettingsFile(environment, settingsFor(environment));
    const report = applySettings(environment, file, removeHooks(file.text, file.undo), dryRun);
    const plugin = pluginFile(environment);
    if (plugin) report.changes.push(...removePlugin(plugin, dryRun));
    return together(report, removeSkills(environment, dryRun), removeShims(ownExecutable(), dryRun));
  });
}

function together(report: InstallReport, skills: SkillChanges, shims: ShimChanges): InstallReport {
  return {
    ...report,
    changes: [...report.changes, ...skills.changes, ...shims.changes],
    warnings: [...report.warnings, ...skills.warnings],
    failures: [...report.failures, ...shims.failures],
  };
}

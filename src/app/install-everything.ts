import { allHookEntries } from "../claude/hook-entries.ts";
import { addHooks, removeHooks } from "../claude/settings.ts";
import type { Changes } from "./changes.ts";
import { installedClaude, unknownVersionWarnings } from "./claude-version.ts";
import type { Environment } from "./environment.ts";
import { pluginFile, removePlugin } from "./hook-plugin.ts";
import { applySettings, type InstallReport, mergeChanges, refuseLinkToNowhere, settingsFor } from "./install.ts";
import { ownExecutable } from "./own-executable.ts";
import { readSettingsFile, withSettings } from "./settings-file.ts";
import { settingsWarnings } from "./settings-warnings.ts";
import { placeShims, removeShims } from "./shims.ts";
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
    refuseLinkToNowhere(environment, file.path);
    const report = applySettings(environment, file, addHooks(file.text, entries, file.undo, additions), dryRun);
    report.warnings.push(...unknownVersionWarnings(claude), ...settingsWarnings(file));
    const plugin = pluginFile(environment);
    if (plugin) report.changes.push(...removePlugin(plugin, dryRun));
    return together(
      report,
      placeSkills(environment, dryRun),
      placeShims(executable, { dryRun, now: environment.now() }),
    );
  });
}

/** The other names beside the executable and no more: Claude's settings stay as they are. */
export function installShims(environment: Environment, { dryRun }: { dryRun: boolean }): InstallReport {
  const nothing = { settingsPath: settingsFor(environment), diff: "", backup: undefined, warnings: [] };
  return { ...nothing, ...placeShims(ownExecutable(), { dryRun, now: environment.now() }) };
}

/** Takes everything of ours out, whichever of our programs put it in. Snapshots and checkpoints stay. */
export function uninstallEverything(environment: Environment, { dryRun }: { dryRun: boolean }): Promise<InstallReport> {
  return withSettings(environment, () => {
    const file = readSettingsFile(environment, settingsFor(environment));
    const report = applySettings(environment, file, removeHooks(file.text, file.undo), dryRun);
    const plugin = pluginFile(environment);
    if (plugin) report.changes.push(...removePlugin(plugin, dryRun));
    return together(
      report,
      removeSkills(environment, dryRun),
      removeShims(process.execPath, { dryRun, now: environment.now() }),
    );
  });
}

function together(report: InstallReport, skills: SkillChanges, shims: Changes): InstallReport {
  const { changes, warnings } = skills;
  const withSkills = mergeChanges(report, { changes, failures: [] });
  return mergeChanges({ ...withSkills, warnings: [...report.warnings, ...warnings] }, shims);
}

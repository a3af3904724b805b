import { allHookEntries } from "../../claude/hooks/hook-entries.ts";
import { addHooks, removeHooks } from "../../claude/settings/settings.ts";
import type { InstallChanges } from "./install-changes.ts";
import { installedClaude, unknownVersionWarnings } from "../claude-version.ts";
import type { Environment } from "../environment.ts";
import { pluginFile } from "../installed-hooks.ts";
import { removePlugin } from "./claude-hooks-plugin.ts";
import { applySettings, type InstallReport, mergeChanges, refuseDanglingLink, settingsFor } from "./install.ts";
import { ownExecutable } from "../own-executable.ts";
import { readSettingsFile, withSettingsLock } from "./settings-file.ts";
import { settingsWarnings } from "./settings-warnings.ts";
import { placeShims, removeShims } from "./shims.ts";
import { placeSkills, removeSkills, type SkillChanges } from "./skills.ts";

/**
 * Installs the hooks (snapshots and checkpoints in one command), the status line, the skills and the shims. The hooks replace
 * those of `session-snapshot install`, so that no snapshot is taken twice.
 */
export async function installEverything(
  environment: Environment,
  { dryRun }: { dryRun: boolean },
): Promise<InstallReport> {
  const executable = ownExecutable();
  const claude = await installedClaude(environment.variables);
  const entries = allHookEntries({ executable, version: claude?.version });
  return withSettingsLock(environment, () => {
    const file = readSettingsFile(environment, settingsFor(environment));
    const additions = { replacing: ["session-snapshot" as const], statusLine: executable };
    refuseDanglingLink(environment, file.path);
    const report = applySettings(environment, file, addHooks(file.text, entries, file.undo, additions), dryRun);
    report.warnings.push(...unknownVersionWarnings(claude), ...settingsWarnings(file));
    const plugin = pluginFile(environment);
    if (plugin) report.changes.push(...removePlugin(plugin, dryRun));
    return mergeReports(
      report,
      placeSkills(environment, dryRun),
      placeShims(executable, { dryRun, now: environment.now() }),
    );
  });
}

/** Places only the shims beside the executable; does not change Claude's settings. */
export function installShims(environment: Environment, { dryRun }: { dryRun: boolean }): InstallReport {
  const nothing = { settingsPath: settingsFor(environment), diff: "", backup: undefined, warnings: [] };
  return { ...nothing, ...placeShims(ownExecutable(), { dryRun, now: environment.now() }) };
}

/** Removes what either install command added. Keeps snapshots and checkpoints. */
export function uninstallEverything(environment: Environment, { dryRun }: { dryRun: boolean }): Promise<InstallReport> {
  return withSettingsLock(environment, () => {
    const file = readSettingsFile(environment, settingsFor(environment));
    const report = applySettings(environment, file, removeHooks(file.text, file.undo), dryRun);
    const plugin = pluginFile(environment);
    if (plugin) report.changes.push(...removePlugin(plugin, dryRun));
    return mergeReports(
      report,
      removeSkills(environment, dryRun),
      removeShims(process.execPath, { dryRun, now: environment.now() }),
    );
  });
}

function mergeReports(report: InstallReport, skills: SkillChanges, shims: InstallChanges): InstallReport {
  const { changes, warnings } = skills;
  const withSkills = mergeChanges(report, { changes, failures: [] });
  return mergeChanges({ ...withSkills, warnings: [...report.warnings, ...warnings] }, shims);
}

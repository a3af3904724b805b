import { snapshotHookEntries } from "../claude/hook-entries.ts";
import { listHookEvents } from "../claude/installed-hooks.ts";
import { settingsPath } from "../claude/paths.ts";
import { addHooks, removeHooks, type SettingsEdit } from "../claude/settings.ts";
import { unifiedDiff } from "../claude/unified-diff.ts";
import { Failure } from "../core/failure.ts";
import { version } from "../core/version.ts";
import { isDirectory, parentOf, readText, resolveLinks } from "../io/read-file.ts";
import { sweepBeside } from "../io/sweep-beside.ts";
import type { Changes } from "./changes.ts";
import { installedClaude, unknownVersionWarnings } from "./claude-version.ts";
import type { Environment } from "./environment.ts";
import { pluginFile, pluginText, removePlugin, writePlugin } from "./hook-plugin.ts";
import { ownExecutable } from "./own-executable.ts";
import { placeShims, removeShims } from "./shims.ts";
import { readSettingsFile, type SettingsFile, withSettings, writeSettingsFile } from "./settings-file.ts";
import { settingsWarnings } from "./settings-warnings.ts";

/** What an install or uninstall does, or with `dryRun` would do. */
export interface InstallReport extends Changes {
  settingsPath: string;
  /** Of the settings file; empty when it stays. */
  diff: string;
  backup: string | undefined;
  /** What a person should know: why hooks that are there will not run. */
  warnings: string[];
}

export async function installSnapshotHooks(
  environment: Environment,
  { dryRun }: { dryRun: boolean },
): Promise<InstallReport> {
  const executable = ownExecutable();
  const claude = await installedClaude(environment.variables);
  const entries = snapshotHookEntries({ executable, version: claude?.version });
  return withSettings(environment, () => {
    const file = readSettingsFile(environment, settingsFor(environment));
    const isCovered = isCoveredBySettings(environment);
    const plugin = isCovered ? undefined : pluginFile(environment);
    if (!plugin) refuseLinkToNowhere(environment, file.path);
    const edit: SettingsEdit = isCovered ? { kind: "unchanged" } : addHooks(file.text, entries, file.undo);
    const report = plugin
      ? installPlugin(environment, file, { plugin, text: pluginText(executable, version), dryRun })
      : applySettings(environment, file, edit, dryRun);
    return mergeChanges(
      { ...report, warnings: [...unknownVersionWarnings(claude), ...settingsWarnings(file)] },
      placeShims(executable, { dryRun, now: environment.now() }),
    );
  });
}

/** Once the plugin is there, hooks of ours in the settings would do everything twice. */
function installPlugin(
  environment: Environment,
  file: SettingsFile,
  { plugin, text, dryRun }: { plugin: string; text: string; dryRun: boolean },
): InstallReport {
  const edit = removeHooks(file.text, file.undo, ["session-snapshot"]);
  refuseInvalid(file, edit);
  const written = writePlugin(plugin, text, dryRun);
  const rest: SettingsEdit = written.failures.length > 0 ? { kind: "unchanged" } : edit;
  return mergeChanges(applySettings(environment, file, rest, dryRun), written);
}

export function uninstallSnapshotHooks(
  environment: Environment,
  { dryRun }: { dryRun: boolean },
): Promise<InstallReport> {
  return withSettings(environment, () => {
    const file = readSettingsFile(environment, settingsFor(environment));
    const edit = removeHooks(file.text, file.undo, ["session-snapshot"]);
    const report = applySettings(environment, file, edit, dryRun);
    const isCovered = isCoveredBySettings(environment);
    if (isCovered) {
      report.warnings.push("ai-runtime's own hooks go on taking snapshots; ai-runtime uninstall removes those");
    }
    const plugin = pluginFile(environment);
    if (plugin) report.changes.push(...removePlugin(plugin, dryRun));
    // Whatever our name: ours to remove is what lies beside us and is, to the letter, what we placed.
    return isCovered ? report : mergeChanges(report, removeShims(process.execPath, { dryRun, now: environment.now() }));
  });
}

export function mergeChanges(report: InstallReport, { changes, failures }: Changes): InstallReport {
  return { ...report, changes: [...report.changes, ...changes], failures: [...report.failures, ...failures] };
}

/** The hooks of ai-runtime take snapshots as well: a second one for the same would only run twice. */
function isCoveredBySettings(environment: Environment): boolean {
  return listHookEvents(readText(settingsFor(environment)), "ai-runtime").includes("PostToolUse");
}

// A linked file (dotfiles kept elsewhere) is edited where it really is; its directory too has one name only, for our record.
export const settingsFor = ({ claudeConfig }: Environment): string =>
  resolveLinks(settingsPath(resolveLinks(claudeConfig)));

/** What a link leads to is created, but not the place for it: that is more likely one that is not mounted, or mistyped. */
export function refuseLinkToNowhere({ claudeConfig }: Environment, target: string): void {
  const path = settingsPath(resolveLinks(claudeConfig));
  if (path === target || isDirectory(parentOf(target))) return;
  throw new Failure("failed", `${path} is a link to ${target}, but there is no directory ${parentOf(target)}`, {
    hint: "Nothing was changed. Make the directory or remove the link, and run the command again.",
  });
}

export function applySettings(
  environment: Environment,
  file: SettingsFile,
  edit: SettingsEdit,
  dryRun: boolean,
): InstallReport {
  refuseInvalid(file, edit);
  const report = { settingsPath: file.path, changes: [], diff: "", backup: undefined, warnings: [], failures: [] };
  if (!dryRun) sweepBeside(file.path, environment.now());
  if (edit.kind === "unchanged") return report;
  const diff = unifiedDiff(file.text ?? "", edit.text ?? "", file.path);
  const backup = dryRun ? undefined : writeSettingsFile(environment, file, edit);
  return { ...report, changes: [...edit.summary], diff, backup };
}

function refuseInvalid(
  { path }: SettingsFile,
  edit: SettingsEdit,
): asserts edit is Exclude<SettingsEdit, { kind: "invalid" }> {
  if (edit.kind !== "invalid") return;
  throw new Failure("failed", `${path}, line ${edit.line}, column ${edit.column}: ${edit.message}`, {
    hint: "Nothing was changed. Mend the file and run the command again.",
  });
}

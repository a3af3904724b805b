import { snapshotHookEntries } from "../../claude/hooks/hook-entries.ts";
import { toolCallEvent } from "../../claude/hooks/hook-event.ts";
import { listHookEvents } from "../../claude/hooks/installed-hooks.ts";
import { settingsPath } from "../../claude/paths.ts";
import { addHooks, removeHooks, type SettingsEdit } from "../../claude/settings/settings.ts";
import { unifiedDiff } from "../../claude/settings/unified-diff.ts";
import { Failure } from "../../core/failure.ts";
import type { ServicePlan } from "../../core/service/service-options.ts";
import { version } from "../../core/version.ts";
import { isDirectory, parentOf, readText, resolveLinks } from "../../io/files/read-file.ts";
import { sweepBeside } from "../../io/durable/sweep-beside.ts";
import type { InstallChanges } from "./install-changes.ts";
import { installedClaude, unknownVersionWarnings } from "../claude-version.ts";
import type { Environment } from "../environment.ts";
import { pluginFile } from "../installed-hooks.ts";
import { pluginText, removePlugin, writePlugin } from "./claude-hooks-plugin.ts";
import { ownExecutable } from "../own-executable.ts";
import { placeShims, removeShims } from "./shims.ts";
import { readSettingsFile, type SettingsFile, withSettingsLock, writeSettingsFile } from "./settings-file.ts";
import { settingsWarnings } from "./settings-warnings.ts";

/** What an install or uninstall does, or with `dryRun` would do. */
export interface InstallReport extends InstallChanges {
  settingsPath: string;
  /** The change to the settings file; empty when it does not change. */
  diff: string;
  backup: string | undefined;
  /** With --at-login: what was planned for the start at login. */
  atLogin?: ServicePlan;
  /** Why installed hooks will not run, and other things the user should know. */
  warnings: string[];
}

export async function installSnapshotHooks(
  environment: Environment,
  { dryRun }: { dryRun: boolean },
): Promise<InstallReport> {
  const executable = ownExecutable();
  const claude = await installedClaude(environment.variables);
  const entries = snapshotHookEntries({ executable, version: claude?.version });
  return withSettingsLock(environment, () => {
    const file = readSettingsFile(environment, settingsFor(environment));
    const isCovered = isCoveredBySettings(environment);
    const plugin = isCovered ? undefined : pluginFile(environment);
    if (!plugin) refuseDanglingLink(environment, file.path);
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

/** Also removes our hooks from the settings, because hooks and plugin together would take every snapshot twice. */
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
  return withSettingsLock(environment, () => {
    const file = readSettingsFile(environment, settingsFor(environment));
    const edit = removeHooks(file.text, file.undo, ["session-snapshot"]);
    const report = applySettings(environment, file, edit, dryRun);
    const isCovered = isCoveredBySettings(environment);
    if (isCovered) {
      report.warnings.push("the hooks of ai-runtime still take snapshots; ai-runtime uninstall removes them");
    }
    const plugin = pluginFile(environment);
    if (plugin) report.changes.push(...removePlugin(plugin, dryRun));
    // Removes shims only beside this executable, and only if they are unchanged.
    return isCovered ? report : mergeChanges(report, removeShims(process.execPath, { dryRun, now: environment.now() }));
  });
}

export function mergeChanges(report: InstallReport, { changes, failures }: InstallChanges): InstallReport {
  return { ...report, changes: [...report.changes, ...changes], failures: [...report.failures, ...failures] };
}

/** The hooks of ai-runtime also take snapshots, so a second set of hooks would take every snapshot twice. */
function isCoveredBySettings(environment: Environment): boolean {
  return listHookEvents(readText(settingsFor(environment)), "ai-runtime").includes(toolCallEvent);
}

// Resolves links, so that a linked file (dotfiles) is edited in place and the undo record always has the same path.
export const settingsFor = ({ claudeConfig }: Environment): string =>
  resolveLinks(settingsPath(resolveLinks(claudeConfig)));

/** An install may create the missing target of a link, but not the target's directory: that may be unmounted or mistyped. */
export function refuseDanglingLink({ claudeConfig }: Environment, target: string): void {
  const path = settingsPath(resolveLinks(claudeConfig));
  if (path === target || isDirectory(parentOf(target))) return;
  throw new Failure("failed", `${path} is a link to ${target}, but the directory ${parentOf(target)} does not exist`, {
    hint: "Nothing was changed. Create the directory or remove the link, and run the command again.",
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
    hint: "Nothing was changed. Fix the file and run the command again.",
  });
}

import { snapshotHookEntries } from "../claude/hook-entries.ts";
import { findStrictJsonProblem } from "../claude/json-document.ts";
import { settingsPath } from "../claude/paths.ts";
import { addHooks, removeHooks, type SettingsEdit } from "../claude/settings.ts";
import { unifiedDiff } from "../claude/unified-diff.ts";
import { Failure } from "../core/failure.ts";
import { version } from "../core/version.ts";
import { isDirectory, parentOf, resolveLinks } from "../io/read-file.ts";
import { installedClaude } from "./claude-version.ts";
import type { Environment } from "./environment.ts";
import { pluginFile, pluginText, removePlugin, writePlugin } from "./hook-plugin.ts";
import { ownExecutable } from "./own-executable.ts";
import { placeShims, removeShims, type ShimChanges } from "./shims.ts";
import { readSettingsFile, type SettingsFile, withSettings, writeSettingsFile } from "./settings-file.ts";

/** What an install or uninstall does, or with `dryRun` would do. */
export interface InstallReport {
  settingsPath: string;
  /** Sentences, in order; empty when everything is already so. */
  changes: string[];
  /** Of the settings file; empty when it stays. */
  diff: string;
  backup: string | undefined;
  /** What a person should know: why hooks that are there will not run. */
  warnings: string[];
  /** What could not be done, as sentences; the rest was. */
  failures: string[];
}

export async function installSnapshotHooks(
  environment: Environment,
  { dryRun }: { dryRun: boolean },
): Promise<InstallReport> {
  const executable = ownExecutable();
  const claude = await installedClaude(environment.variables);
  const entries = snapshotHookEntries({ executable, version: claude?.version });
  return withSettings(environment, () => {
    const plugin = pluginFile(environment);
    if (plugin) {
      const changes = writePlugin(plugin, pluginText(executable, version), dryRun);
      return withShims({ ...emptyReport, settingsPath: plugin, changes }, placeShims(executable, dryRun));
    }
    const path = settingsFor(environment);
    refuseLinkToNowhere(environment, path);
    const file = readSettingsFile(environment, path);
    const report = apply(environment, file, addHooks(file.text, entries, file.undo), dryRun);
    return withShims(report, placeShims(executable, dryRun));
  });
}

export function uninstallSnapshotHooks(
  environment: Environment,
  { dryRun }: { dryRun: boolean },
): Promise<InstallReport> {
  return withSettings(environment, () => {
    const file = readSettingsFile(environment, settingsFor(environment));
    const edit = removeHooks(file.text, file.undo, ["session-snapshot"]);
    const report = apply(environment, file, edit, dryRun);
    const plugin = pluginFile(environment);
    if (plugin) report.changes.push(...removePlugin(plugin, dryRun));
    return withShims(report, removeShims(ownExecutable(), dryRun));
  });
}

const emptyReport: InstallReport = {
  settingsPath: "",
  changes: [],
  diff: "",
  backup: undefined,
  warnings: [],
  failures: [],
};

function withShims(report: InstallReport, { changes, failures }: ShimChanges): InstallReport {
  return { ...report, changes: [...report.changes, ...changes], failures: [...report.failures, ...failures] };
}

// A linked file (dotfiles kept elsewhere) is edited where it really is; its directory too has one name only, for our record.
const settingsFor = ({ claudeConfig }: Environment): string => resolveLinks(settingsPath(resolveLinks(claudeConfig)));

/** What a link leads to is created, but not the place for it: that is more likely one that is not mounted, or mistyped. */
function refuseLinkToNowhere({ claudeConfig }: Environment, target: string): void {
  const path = settingsPath(resolveLinks(claudeConfig));
  if (path === target || isDirectory(parentOf(target))) return;
  throw new Failure("failed", `${path} is a link to ${target}, but there is no directory ${parentOf(target)}`, {
    hint: "Nothing was changed. Make the directory or remove the link, and run the command again.",
  });
}

function apply(environment: Environment, file: SettingsFile, edit: SettingsEdit, dryRun: boolean): InstallReport {
  const nothing = { ...emptyReport, settingsPath: file.path, changes: [], warnings: strictnessWarnings(file) };
  switch (edit.kind) {
    case "unchanged":
      return nothing;
    case "invalid":
      throw new Failure("failed", `${file.path}, line ${edit.line}, column ${edit.column}: ${edit.message}`, {
        hint: "Nothing was changed. Mend the file and run the command again.",
      });
    case "changed": {
      const diff = unifiedDiff(file.text ?? "", edit.text ?? "", file.path);
      const backup = dryRun ? undefined : writeSettingsFile(environment, file, edit.text, edit.undo);
      return { ...nothing, changes: [...edit.summary], diff, backup };
    }
  }
}

/** We keep comments, but Claude itself does not read past one: it ignores the whole file. */
export function strictnessWarnings({ path, text }: Pick<SettingsFile, "path" | "text">): string[] {
  const problem = text === undefined || text.trim() === "" ? undefined : findStrictJsonProblem(text);
  if (!problem) return [];
  return [
    `${path}, line ${problem.line}, column ${problem.column}: ${problem.message}. Claude Code reads strict JSON and ignores the whole file, hooks included.`,
  ];
}

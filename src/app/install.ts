import { snapshotHookEntries } from "../claude/hook-entries.ts";
import { listHookEvents } from "../claude/installed-hooks.ts";
import { findStrictJsonProblem } from "../claude/json-document.ts";
import { settingsPath } from "../claude/paths.ts";
import { addHooks, removeHooks, type SettingsEdit } from "../claude/settings.ts";
import { unifiedDiff } from "../claude/unified-diff.ts";
import { Failure } from "../core/failure.ts";
import { version } from "../core/version.ts";
import { readText, resolveLinks } from "../io/read-file.ts";
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
    if (plugin && !isCoveredBySettings(environment)) {
      const changes = writePlugin(plugin, pluginText(executable, version), dryRun);
      return withShims({ ...emptyReport, settingsPath: plugin, changes }, placeShims(executable, dryRun));
    }
    const file = readSettingsFile(environment, settingsFor(environment));
    const edit: SettingsEdit = isCoveredBySettings(environment)
      ? { kind: "unchanged" }
      : addHooks(file.text, entries, file.undo);
    const report = applySettings(environment, file, edit, dryRun);
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
    const report = applySettings(environment, file, edit, dryRun);
    const isCovered = isCoveredBySettings(environment);
    if (isCovered) {
      report.warnings.push("ai-runtime's own hooks go on taking snapshots; ai-runtime uninstall removes those");
    }
    const plugin = pluginFile(environment);
    if (plugin) report.changes.push(...removePlugin(plugin, dryRun));
    return isCovered ? report : withShims(report, removeShims(ownExecutable(), dryRun));
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

/** The hooks of ai-runtime take snapshots as well: a second one for the same would only run twice. */
function isCoveredBySettings(environment: Environment): boolean {
  return listHookEvents(readText(settingsFor(environment)), "ai-runtime").includes("PostToolUse");
}

// A linked file (dotfiles kept elsewhere) is edited where it really is.
export const settingsFor = ({ claudeConfig }: Environment): string => resolveLinks(settingsPath(claudeConfig));

export function applySettings(
  environment: Environment,
  file: SettingsFile,
  edit: SettingsEdit,
  dryRun: boolean,
): InstallReport {
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

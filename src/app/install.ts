import { programName } from "../claude/hook-command.ts";
import { snapshotHookEntries } from "../claude/hook-entries.ts";
import { settingsPath } from "../claude/paths.ts";
import { addHooks, removeHooks, type SettingsEdit } from "../claude/settings.ts";
import { unifiedDiff } from "../claude/unified-diff.ts";
import { Failure } from "../core/failure.ts";
import { version } from "../core/version.ts";
import { resolveLinks } from "../io/read-file.ts";
import { installedClaude } from "./claude-version.ts";
import type { Environment } from "./environment.ts";
import { pluginFile, pluginText, removePlugin, writePlugin } from "./hook-plugin.ts";
import { missingShims, placeShims, removeShims } from "./shims.ts";
import { readSettingsFile, type SettingsFile, withSettings, writeSettingsFile } from "./settings-file.ts";

/** What an install or uninstall does, or with `dryRun` would do. */
export interface InstallReport {
  settingsPath: string;
  /** Sentences, in order; empty when everything is already so. */
  changes: string[];
  /** Of the settings file; empty when it stays. */
  diff: string;
  backup: string | undefined;
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
      return {
        settingsPath: plugin,
        changes: [...changes, ...shimChanges(executable, dryRun)],
        diff: "",
        backup: undefined,
      };
    }
    const file = readSettingsFile(environment, settingsFor(environment));
    const report = apply(environment, file, addHooks(file.text, entries, file.undo), dryRun);
    return { ...report, changes: [...report.changes, ...shimChanges(executable, dryRun)] };
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
    const files = [
      ...(plugin ? removePlugin(plugin, dryRun) : []),
      ...removeShims(ownExecutable(), dryRun).map((path) => `remove ${path}`),
    ];
    return { ...report, changes: [...report.changes, ...files] };
  });
}

function shimChanges(executable: string, dryRun: boolean): string[] {
  return (dryRun ? missingShims(executable) : placeShims(executable)).map((path) => `place ${path}`);
}

/** The hooks call it by this path, and are recognised by its name: so it must be ours, not Bun's that runs the source. */
function ownExecutable(): string {
  const name = programName(process.execPath);
  if (name === "ai-runtime" || name === "session-snapshot") return process.execPath;
  throw new Failure(
    "failed",
    `${process.execPath} is not named ai-runtime, so its hooks could not be told from others`,
    {
      hint: "Rename the executable to ai-runtime and run this again.",
    },
  );
}

// A linked file (dotfiles kept elsewhere) is edited where it really is.
const settingsFor = ({ claudeConfig }: Environment): string => resolveLinks(settingsPath(claudeConfig));

function apply(environment: Environment, file: SettingsFile, edit: SettingsEdit, dryRun: boolean): InstallReport {
  const nothing = { settingsPath: file.path, changes: [], diff: "", backup: undefined };
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

import { Failure } from "../../core/failure.ts";
import type { ServicePlan } from "../../core/service/service-options.ts";
import { allHookEntries } from "../../claude/hooks/hook-entries.ts";
import { addHooks, removeHooks } from "../../claude/settings/settings.ts";
import type { InstallChanges } from "./install-changes.ts";
import { installedClaude, unknownVersionWarnings } from "../claude-version.ts";
import type { Environment } from "../environment.ts";
import { pluginFile } from "../installed-hooks.ts";
import { removePlugin } from "./claude-hooks-plugin.ts";
import { applySettings, type InstallReport, mergeChanges, refuseDanglingLink, settingsFor } from "./install.ts";
import { ownExecutable } from "../own-executable.ts";
import { installAtLogin, planAtLogin, removeAtLogin } from "../recovery/at-login.ts";
import { isInPlace } from "../service/carry-out-plan.ts";
import type { Removed } from "../service/remove-installed.ts";
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
  { dryRun, atLogin }: { dryRun: boolean; atLogin?: AtLoginRequest | undefined },
): Promise<InstallReport> {
  const executable = ownExecutable();
  const claude = await installedClaude(environment.variables);
  const entries = allHookEntries({ executable, version: claude?.version });
  // Refuses invalid variables before anything is changed.
  const plan = atLogin && planAtLogin(environment, atLogin.variables);
  const report = await withSettingsLock(environment, () => {
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
  if (!atLogin || !plan) return report;
  const changes = dryRun ? plannedChanges(plan) : await changesOf(() => installAtLogin(environment, atLogin.variables));
  return { ...mergeChanges(report, changes), atLogin: plan };
}

/** `variables`: for the runs that the start at login continues, as `NAME=value` or `NAME`. */
export interface AtLoginRequest {
  readonly variables: readonly string[];
}

function plannedChanges(plan: ServicePlan): InstallChanges {
  if (isInPlace(plan)) return { changes: [], failures: [] };
  const files = plan.files.map(({ path }) => `write ${path}`);
  return { changes: [...files, ...plan.commands.map((command) => `run ${command.join(" ")}`)], failures: [] };
}

/** The hooks work without the start at login, so a system that cannot have it is only reported. */
async function changesOf(change: () => Promise<Removed>): Promise<InstallChanges> {
  try {
    const { changes, kept } = await change();
    return { changes: [...changes, ...kept.map((path) => `keep what you wrote or changed: ${path}`)], failures: [] };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { changes: [], failures: [[error.message, ...(error.hint?.split("\n") ?? [])].join(" ")] };
  }
}

/** Removes only the start at login. */
export async function uninstallAtLogin(
  environment: Environment,
  { dryRun }: { dryRun: boolean },
): Promise<InstallReport> {
  const nothing = { settingsPath: settingsFor(environment), diff: "", backup: undefined, warnings: [] };
  return { ...nothing, ...(await changesOf(() => removeAtLogin(environment, dryRun))) };
}

/** Places only the shims beside the executable; does not change Claude's settings. */
export function installShims(environment: Environment, { dryRun }: { dryRun: boolean }): InstallReport {
  const nothing = { settingsPath: settingsFor(environment), diff: "", backup: undefined, warnings: [] };
  return { ...nothing, ...placeShims(ownExecutable(), { dryRun, now: environment.now() }) };
}

/** Removes what either install command added. Keeps snapshots and checkpoints. */
export async function uninstallEverything(
  environment: Environment,
  { dryRun }: { dryRun: boolean },
): Promise<InstallReport> {
  const atLogin = await changesOf(() => removeAtLogin(environment, dryRun));
  const report = await withSettingsLock(environment, () => {
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
  return mergeChanges(report, atLogin);
}

function mergeReports(report: InstallReport, skills: SkillChanges, shims: InstallChanges): InstallReport {
  const { changes, warnings } = skills;
  const withSkills = mergeChanges(report, { changes, failures: [] });
  return mergeChanges({ ...withSkills, warnings: [...report.warnings, ...warnings] }, shims);
}

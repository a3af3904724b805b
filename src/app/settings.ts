import { readSettings, type Settings } from "../core/settings.ts";
import type { Environment } from "./environment.ts";
import { readOrReport } from "./read-or-report.ts";

export interface LoadedSettings {
  readonly settings: Settings;
  /** One sentence for each setting that does not apply as the user wrote it. */
  readonly problems: readonly string[];
  /** The keys that the user set, but not usably. */
  readonly rejected: readonly string[];
  /** Why config.json cannot be read; its settings are missing then. */
  readonly unreadable: string | undefined;
}

/** Reads config.json once. Only the hook reads it by itself, in parallel with its other files and without `node:fs`. */
export function loadSettings({ paths, variables }: Environment): LoadedSettings {
  const { text, problem: unreadable } = readOrReport(paths.config);
  const { settings, problems, rejected } = readSettings(text, variables);
  const fileProblems = unreadable === undefined ? [] : [`${unreadable}; using the defaults`];
  return { settings, problems: [...fileProblems, ...problems], rejected, unreadable };
}

export { describeSetting, settingGroups } from "../core/settings-help.ts";

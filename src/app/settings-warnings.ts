import { areHooksDisabled } from "../claude/installed-hooks.ts";
import { findStrictJsonProblem } from "../claude/json-document.ts";
import type { SettingsFile } from "./settings-file.ts";

type Read = Pick<SettingsFile, "path" | "text">;

/** Why hooks that stand in this file do not run, as sentences; none when they do. */
export function settingsWarnings(file: Read): string[] {
  return [...strictnessWarnings(file), ...switchWarnings(file)];
}

/** We keep comments, but Claude itself does not read past one: it ignores the whole file. */
function strictnessWarnings({ path, text }: Read): string[] {
  const problem = text === undefined || text.trim() === "" ? undefined : findStrictJsonProblem(text);
  if (!problem) return [];
  return [
    `${path}, line ${problem.line}, column ${problem.column}: ${problem.message}. Claude Code reads strict JSON and ignores the whole file, hooks included.`,
  ];
}

function switchWarnings({ path, text }: Read): string[] {
  return areHooksDisabled(text) ? [`${path} has disableAllHooks: Claude Code runs no hooks, ours included.`] : [];
}

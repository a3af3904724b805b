import { areHooksDisabled } from "../../claude/hooks/installed-hooks.ts";
import { findStrictJsonProblem } from "../../claude/settings/json-document.ts";
import type { SettingsFile } from "./settings-file.ts";

type Read = Pick<SettingsFile, "path" | "text">;

/** Why Claude does not run the hooks in this file; empty when it does. */
export function settingsWarnings(file: Read): string[] {
  return [...strictnessWarnings(file), ...switchWarnings(file)];
}

/** Our editor accepts comments, but Claude ignores a file that contains one. */
function strictnessWarnings({ path, text }: Read): string[] {
  const problem = text === undefined || text.trim() === "" ? undefined : findStrictJsonProblem(text);
  if (!problem) return [];
  return [
    `${path}, line ${problem.line}, column ${problem.column}: ${problem.message}. Claude Code reads strict JSON and ignores the whole file, including the hooks.`,
  ];
}

function switchWarnings({ path, text }: Read): string[] {
  return areHooksDisabled(text) ? [`${path} sets disableAllHooks: Claude Code runs no hooks, including ours.`] : [];
}

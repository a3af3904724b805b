import { toolCallEvent } from "../claude/hooks/hook-event.ts";
import { enablesOwnPlugin, listHookEvents } from "../claude/hooks/installed-hooks.ts";
import { settingsPath } from "../claude/paths.ts";
import { isDirectory } from "../io/files/read-file.ts";
import { configHome } from "../store/snapshots/snapshot-paths.ts";
import type { Environment } from "./environment.ts";
import { readOrReport } from "./read-or-report.ts";

/** The first line of the plugin that we write for claude-hooks. */
export const pluginSignature = "// Written by session-snapshot install; session-snapshot uninstall removes it.";

/** The path from which claude-hooks loads our plugin (one directory per event); undefined when claude-hooks is not used. */
export function pluginFile({ variables, home }: Environment): string | undefined {
  const directory = `${configHome(variables, home)}/claude-hooks/plugins`;
  return isDirectory(directory) ? `${directory}/${toolCallEvent}/session-snapshot.ts` : undefined;
}

export const isOwnPlugin = (path: string): boolean => readOrReport(path).text?.startsWith(pluginSignature) === true;

/** Which records the installed hooks keep, so that advice does not ask for an install that was already made. */
export function installedRecords(environment: Environment): { snapshots: boolean; checkpoints: boolean } {
  const { text } = readOrReport(settingsPath(environment.claudeConfig));
  const checkpoints = listHookEvents(text, "ai-runtime").length > 0 || enablesOwnPlugin(text);
  const plugin = pluginFile(environment);
  const snapshots =
    checkpoints || listHookEvents(text, "session-snapshot").length > 0 || (plugin !== undefined && isOwnPlugin(plugin));
  return { snapshots, checkpoints };
}

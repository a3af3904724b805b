/** Where Claude Code keeps its things. Joined with "/": every system that runs Claude takes it. */
export function claudeConfigDirectory(variables: Record<string, string | undefined>, home: string): string {
  return variables["CLAUDE_CONFIG_DIR"] || `${home}/.claude`;
}

export const projectsDirectory = (configDirectory: string): string => `${configDirectory}/projects`;

/** Claude names live sessions here, one file for each process. */
export const liveSessionsDirectory = (configDirectory: string): string => `${configDirectory}/sessions`;

export const settingsPath = (configDirectory: string): string => `${configDirectory}/settings.json`;

/** Beside `<id>.jsonl`: what its lines point to (subagents' transcripts, large tool results). */
export const sideDirectory = (transcriptPath: string): string => transcriptPath.replace(/\.jsonl$/, "");

/** The directory name that Claude gives to a project; not injective, so never a way back to the path. */
export const projectSlug = (cwd: string): string => cwd.replace(/[^A-Za-z0-9]/g, "-");

/** `<config>/projects/<slug>/<id>.jsonl` → `<config>`. */
export const configDirectoryOf = (transcriptPath: string): string =>
  transcriptPath.split(/[\\/]/).slice(0, -3).join("/");

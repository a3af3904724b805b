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
const projectSlug = (cwd: string): string => cwd.replace(/[^A-Za-z0-9]/g, "-");

/** `<config>/projects/<slug>/<id>.jsonl` → `<config>`. */
export const configDirectoryOf = (transcriptPath: string): string =>
  transcriptPath.split(/[\\/]/).slice(0, -3).join("/");

const longestSlug = 200;

/** As Claude names a project's directory: a long slug is cut, and told from others by a hash of the path. */
export function projectDirectoryName(realPath: string): string {
  const slug = projectSlug(realPath);
  if (slug.length <= longestSlug) return slug;
  let hash = 0;
  for (let at = 0; at < realPath.length; at++) hash = ((hash << 5) - hash + realPath.charCodeAt(at)) | 0;
  return `${slug.slice(0, longestSlug)}-${Math.abs(hash).toString(36)}`;
}

/** What Claude remembers of a project lies beside its transcripts. */
export const memoryDirectory = (projectDirectory: string): string => `${projectDirectory}/memory`;

export const checkpointsDirectory = (configDirectory: string): string => `${configDirectory}/checkpoints`;

export const skillsDirectory = (configDirectory: string): string => `${configDirectory}/skills`;

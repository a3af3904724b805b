import type { Variables } from "../core/variables.ts";

/** Claude Code's configuration directory. Paths are joined with "/", which works on every system that runs Claude. */
export function claudeConfigDirectory(variables: Variables, home: string): string {
  return variables["CLAUDE_CONFIG_DIR"] || `${home}/.claude`;
}

export const projectsDirectory = (configDirectory: string): string => `${configDirectory}/projects`;

/** Claude writes one file for each running process here. */
export const liveSessionsDirectory = (configDirectory: string): string => `${configDirectory}/sessions`;

const transcriptExtension = ".jsonl";

export const transcriptPath = (projectDirectory: string, sessionId: string): string =>
  `${projectDirectory}/${sessionId}${transcriptExtension}`;

/** The session of a transcript, by its file name; undefined for other files. */
export const sessionOfFile = (name: string): string | undefined =>
  name.endsWith(transcriptExtension) ? name.slice(0, -transcriptExtension.length) : undefined;

/** Claude's own session ids are UUIDs. */
export const isClaudeSessionId = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

export const settingsPath = (configDirectory: string): string => `${configDirectory}/settings.json`;

/** The directory beside `<id>.jsonl` with files that its lines refer to: subagents' transcripts, large tool results. */
export const sideDirectory = (transcriptPath: string): string => transcriptPath.replace(/\.jsonl$/, "");

/** Where the transcripts of a session's subagents are. */
export const subagentsDirectory = (transcriptPath: string): string => `${sideDirectory(transcriptPath)}/subagents`;

/** Different paths can have the same slug, so it cannot be turned back into the path. */
const projectSlug = (cwd: string): string => cwd.replace(/[^A-Za-z0-9]/g, "-");

/** `<config>/projects/<slug>/<id>.jsonl` → `<config>`. */
export const configDirectoryOf = (transcriptPath: string): string =>
  transcriptPath.split(/[\\/]/).slice(0, -3).join("/");

/** `<config>/projects/<slug>/<id>.jsonl` → `<slug>/<id>.jsonl`. */
export const nameInProject = (transcriptPath: string): string => transcriptPath.split(/[\\/]/).slice(-2).join("/");

export const isBelow = (directory: string, path: string): boolean =>
  path.startsWith(directory) && /^[\\/]/.test(path.slice(directory.length));

/** Newer clients cut a longer name here and add a hash. */
export const maxSlugLength = 200;

/** The directory name that Claude gives a project. A long slug is cut and ends with a hash of the path. */
export function projectDirectoryName(realPath: string): string {
  const slug = projectSlug(realPath);
  if (slug.length <= maxSlugLength) return slug;
  let hash = 0;
  for (let at = 0; at < realPath.length; at++) hash = ((hash << 5) - hash + realPath.charCodeAt(at)) | 0;
  return `${slug.slice(0, maxSlugLength)}-${Math.abs(hash).toString(36)}`;
}

/** Claude's notes about a project, beside its transcripts. */
export const memoryDirectory = (projectDirectory: string): string => `${projectDirectory}/memory`;

export const checkpointsDirectory = (configDirectory: string): string => `${configDirectory}/checkpoints`;

export const skillsDirectory = (configDirectory: string): string => `${configDirectory}/skills`;

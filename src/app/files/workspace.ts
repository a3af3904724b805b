import { isAbsolutePath } from "../../core/absolute-path.ts";
import { Failure } from "../../core/failure.ts";
import type { Settings } from "../../core/settings.ts";
import { isDirectory, readText, resolveLinks } from "../../io/files/read-file.ts";
import { findGit } from "../../io/git/find-git.ts";
import { findProjectGit, findRoot, globalExcludes } from "../../io/git/git-files.ts";
import type { Git } from "../../io/git/run-git.ts";
import { configHome } from "../../store/snapshots/snapshot-paths.ts";
import { adoptMoved } from "../../store/trees/adopt-moved.ts";
import { treeDirectory } from "../../store/trees/tree-paths.ts";
import type { OpenOptions } from "../../store/trees/tree-marks.ts";
import type { Environment } from "../environment.ts";

/** The directory whose files are saved: the project around a directory. */
export interface Workspace {
  root: string;
  git: Git;
}

export type NoWorkspace = { why: "off" | "no-git" | "too-broad" | "missing" };

/** Finds the workspace of a directory, or why it has none. */
export function findWorkspace(
  environment: Environment,
  settings: Settings,
  directory: string,
): Workspace | NoWorkspace {
  if (!settings["files.enabled"]) return { why: "off" };
  if (!isAbsolutePath(directory) || !isDirectory(directory)) return { why: "missing" };
  const root = rootOf(environment, resolveLinks(directory));
  if (root === undefined) return { why: "too-broad" };
  const executable = findGit(environment.variables["PATH"] ?? "", root);
  if (executable === undefined) return { why: "no-git" };
  adoptMoved(environment.paths, root);
  return { root, git: { executable, directory: treeDirectory(environment.paths, root) } };
}

/** For a command of the user: a directory without a workspace is a failure. */
export function requireWorkspace(environment: Environment, settings: Settings, directory: string): Workspace {
  const found = findWorkspace(environment, settings, directory);
  if (!("why" in found)) return found;
  const reasons: Record<NoWorkspace["why"], [message: string, hint?: string]> = {
    off: ["file snapshots are off", "Set files.enabled to true in config.json."],
    "no-git": ["git is not on PATH, so there are no file snapshots"],
    "too-broad": [`${directory} is not a project: file snapshots leave out the home directory and what contains it`],
    missing: [`${directory} does not exist`],
  };
  const [message, hint] = reasons[found.why];
  throw new Failure("failed", message, hint === undefined ? {} : { hint });
}

/** The top of the repository, else the directory itself; never the home directory or one that contains it, nor the kernel's. */
function rootOf({ home }: Environment, directory: string): string | undefined {
  const homePath = resolveLinks(home);
  const isBroad = (path: string): boolean =>
    /^\/(?:tmp|dev|(?:proc|sys)(?:\/.*)?)?$/.test(path) || `${homePath}/`.startsWith(`${path}/`);
  return [findRoot(directory), directory].find((path) => path !== undefined && !isBroad(path));
}

/** What a capture of this workspace needs to know. */
export function captureOptions(environment: Environment, settings: Settings, { root }: Workspace): OpenOptions {
  const { home, variables, paths } = environment;
  const project = findProjectGit(root);
  const own = resolveLinks(paths.root);
  return {
    maxFileBytes: settings["files.maxFileBytes"],
    maxTotalBytes: settings.maxDisk,
    include: settings["files.include"],
    excludes: [
      globalExcludes(home, configHome(variables, home)),
      project ? (readText(`${project.common}/info/exclude`) ?? "") : "",
      own.startsWith(`${root}/`) ? `/${own.slice(root.length + 1)}/` : "",
    ]
      .filter((text) => text !== "")
      .join("\n"),
  };
}

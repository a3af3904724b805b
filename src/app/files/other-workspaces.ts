import { resolve } from "node:path";
import { findOutsidePaths, workspacesMeant } from "../../core/files/paths-in-command.ts";
import { isDirectory, resolveLinks } from "../../io/files/read-file.ts";
import { listTreeDirectories } from "../../store/trees/tree-paths.ts";
import { readRecord } from "../../store/trees/tree-record.ts";
import type { Environment } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import { findWorkspace } from "./workspace.ts";

/** Each costs about as much as `git status`, and Claude waits. */
const maxWorkspaces = 3;

/** Workspaces with file marks, other than the one around `cwd`, whose files a Bash command names: `rm -rf ../other`. */
export function findOtherWorkspaces(environment: Environment, command: string, cwd: string): string[] {
  const named = findOutsidePaths(command, environment.home).map((path) => realPath(resolve(cwd, path)));
  if (named.length === 0) return [];
  const own = findWorkspace(environment, loadSettings(environment).settings, cwd);
  const known = listTreeDirectories(environment.paths).flatMap((directory) => {
    const record = readRecord(directory);
    return record !== undefined && record !== "damaged" && isDirectory(record.workspace) ? [record.workspace] : [];
  });
  return workspacesMeant(named, known, "why" in own ? undefined : own.root).slice(0, maxWorkspaces);
}

function realPath(path: string): string {
  try {
    return resolveLinks(path);
  } catch {
    return path;
  }
}

import { type HubProject, normalizeRemote } from "../../core/hub/map-project.ts";
import { resolveLinks } from "../../io/files/read-file.ts";
import { findRoot, readRepository } from "../../io/git/git-files.ts";

/** The project around a directory. Reads git's files; never starts git. */
export function readProject(directory: string): HubProject {
  const resolved = resolveLinks(directory);
  const root = findRoot(resolved) ?? resolved;
  const name = readRepository(resolved)?.name ?? root;
  return { remote: name === root ? null : normalizeRemote(name), root, inside: resolved.slice(root.length + 1) };
}

import { delimiter, isAbsolute, join, relative } from "node:path";
import { isExecutableFile } from "../files/find-executable.ts";

/**
 * The first git on the path. A relative entry of the path, and one inside of the workspace, could hold a program of the
 * repository: it is skipped.
 */
export function findGit(searchPath: string, workspace: string): string | undefined {
  for (const directory of searchPath.split(delimiter)) {
    if (!isAbsolute(directory) || isInside(directory, workspace)) continue;
    for (const name of ["git", "git.exe"]) {
      const candidate = join(directory, name);
      if (isExecutableFile(candidate)) return candidate;
    }
  }
  return undefined;
}

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";

/** Every file and link below the directories, by path, with its content or target; `isLeftOut` gets the path below its directory. */
export function allBytes(
  directories: readonly string[],
  isLeftOut: (path: string) => boolean = () => false,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const directory of directories) collect(directory, (path) => isLeftOut(relative(directory, path)), found);
  return found;
}

/** Follows no link: the recursive form of `readdirSync` does on some file systems. */
function collect(path: string, isLeftOut: (path: string) => boolean, found: Record<string, string>): void {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts?.isDirectory()) {
    for (const name of readdirSync(path).sort()) collect(join(path, name), isLeftOut, found);
  } else if (facts && !isLeftOut(path)) {
    found[path] = facts.isSymbolicLink() ? `→ ${readlinkSync(path)}` : readFileSync(path, "base64");
  }
}

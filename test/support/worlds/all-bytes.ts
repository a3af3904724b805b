import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";

/** Every file and link below the directories, by path, with its content or target; `isLeftOut` gets the path below its directory. */
export function allBytes(
  directories: readonly string[],
  isLeftOut: (path: string) => boolean = () => false,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const directory of directories.filter((each) => existsSync(each))) {
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (lstatSync(path).isDirectory() || isLeftOut(relative(directory, path))) continue;
      found[path] = entry.isSymbolicLink() ? `→ ${readlinkSync(path)}` : readFileSync(path, "base64");
    }
  }
  return found;
}

import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The first executable of that name on the path that is not the file `except` under another name, and not a small script that
 * must be skipped.
 */
export function findExecutable(
  names: readonly string[],
  searchPath: string,
  except: string,
  isPassedOver: (script: string) => boolean = () => false,
): string | undefined {
  const own = identity(except);
  for (const directory of searchPath.split(delimiter)) {
    for (const name of names) {
      const candidate = join(directory || ".", name);
      if (!isExecutableFile(candidate) || identity(candidate) === own) continue;
      const script = readScript(candidate);
      if (script === undefined || !isPassedOver(script)) return candidate;
    }
  }
  return undefined;
}

/** Whether two paths are the same file. */
export const isSameExecutable = (one: string, other: string): boolean => identity(one) === identity(other);

export function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const maxScriptBytes = 16_384;

/** The text of a script that is small enough to be a mere launcher. */
function readScript(path: string): string | undefined {
  if (statSync(path).size > maxScriptBytes) return undefined;
  const text = readFileSync(path, "latin1");
  return text.startsWith("#!") || /\.cmd$/i.test(path) ? text : undefined;
}

// A symlink resolves to the same file, and a hard link has the same inode: both are the same program.
function identity(path: string): string {
  try {
    const { dev, ino } = statSync(realpathSync(path));
    return `${dev}:${ino}`;
  } catch {
    return path;
  }
}

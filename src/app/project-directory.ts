import { asObject, asText } from "../claude/json-object.ts";
import { projectDirectoryName } from "../claude/paths.ts";
import { parentOf, resolveLinks, withFile } from "../io/read-file.ts";
import { forEachLine } from "../io/read-lines.ts";

/**
 * The directory that a session belongs to, which is where older clients must be to resume it; a worktree's is another than
 * the one that claude was started in. Undefined when it is the present one, or cannot be told.
 */
export function projectDirectoryOf(transcriptPath: string, present: string): string | undefined {
  const slug = parentOf(transcriptPath).split(/[\\/]/).at(-1);
  if (projectDirectoryName(resolveLinks(present)) === slug) return undefined;
  return withFile(transcriptPath, ({ fd, size }) => {
    let found: string | undefined;
    forEachLine(fd, Math.min(size, headSize), (line) => {
      const cwd = found === undefined ? cwdOf(line) : undefined;
      if (cwd !== undefined && projectDirectoryName(resolveLinks(cwd)) === slug) found = cwd;
    });
    return found;
  });
}

const headSize = 1_000_000;

function cwdOf(line: string): string | undefined {
  try {
    return asText(asObject(JSON.parse(line))?.["cwd"]);
  } catch {
    return undefined;
  }
}

import { asText, parseObject } from "../../claude/json-object.ts";
import { projectDirectoryName } from "../../claude/paths.ts";
import { parentOf, resolveLinks, withFile } from "../../io/files/read-file.ts";
import { forEachLine } from "../../io/files/read-lines.ts";

/**
 * The directory of a session, where older clients must start to resume it; for a worktree it is not the one that claude
 * was started in. Undefined when it is the present directory, or unknown.
 */
export function projectDirectoryOf(transcriptPath: string, present: string): string | undefined {
  const slug = parentOf(transcriptPath).split(/[\\/]/).at(-1);
  if (projectDirectoryName(resolveLinks(present)) === slug) return undefined;
  return withFile(transcriptPath, ({ fd, size }) => {
    let found: string | undefined;
    forEachLine(fd, Math.min(size, maxHeadBytes), (line) => {
      const cwd = found === undefined ? cwdOf(line) : undefined;
      if (cwd !== undefined && projectDirectoryName(resolveLinks(cwd)) === slug) found = cwd;
    });
    return found;
  });
}

const maxHeadBytes = 1_000_000;

const cwdOf = (line: string): string | undefined => asText(parseObject(line)?.["cwd"]);

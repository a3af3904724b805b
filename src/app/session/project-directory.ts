import { asObject, asText } from "../../claude/json-object.ts";
import { projectDirectoryName } from "../../claude/paths.ts";
import { parentOf, readRange, resolveLinks, withFile } from "../../io/files/read-file.ts";
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
/** The first message is near the beginning and names the directory. */
const firstBytes = 64 * 1024;

/** The directory in which a conversation began; undefined when its beginning does not name it. */
export function readSessionDirectory(transcriptPath: string): string | undefined {
  return withFile(transcriptPath, ({ fd, size }) => {
    const lines = new TextDecoder().decode(readRange(fd, 0, Math.min(size, firstBytes))).split("\n");
    for (const line of lines) {
      const cwd = cwdOf(line);
      if (cwd !== undefined) return cwd;
    }
    return undefined;
  });
}

function cwdOf(line: string): string | undefined {
  try {
    return asText(asObject(JSON.parse(line))?.["cwd"]);
  } catch {
    return undefined;
  }
}

import { asText, parseObject } from "../../claude/json-object.ts";
import { projectDirectoryName } from "../../claude/paths.ts";
import { parentOf, readRange, resolveLinks, withFile } from "../../io/files/read-file.ts";
import { forEachLine } from "../../io/files/read-lines.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";

/**
 * The directory of a session, where older clients must start to resume it; for a worktree it is not the one that claude
 * was started in. Undefined when it is the present directory, or unknown.
 */
export function projectDirectoryOf(transcriptPath: string, present: string): string | undefined {
  if (projectDirectoryName(resolveLinks(present)) === slugOf(transcriptPath)) return undefined;
  return recordedDirectory(transcriptPath);
}

/**
 * The directory in a transcript's own lines that Claude names its project after; undefined when no line has it, as after the
 * project moved. Searches the beginning of the file, then its end.
 */
export function recordedDirectory(transcriptPath: string): string | undefined {
  const slug = slugOf(transcriptPath);
  const isNamesake = (cwd: string): boolean =>
    projectDirectoryName(cwd) === slug || projectDirectoryName(resolveLinks(cwd)) === slug;
  return withFile(transcriptPath, ({ fd, size }) => {
    let found: string | undefined;
    const take = (line: string): void => {
      const cwd = found === undefined ? cwdOf(line) : undefined;
      if (cwd !== undefined && isNamesake(cwd)) found = cwd;
    };
    forEachLine(fd, Math.min(size, maxHeadBytes), take);
    if (found !== undefined || size <= maxHeadBytes) return found;
    for (const line of linesBackwards(fd, size, maxTailBytes)) take(line);
    return found;
  });
}

const slugOf = (transcriptPath: string): string | undefined => parentOf(transcriptPath).split(/[\\/]/).at(-1);

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

const maxHeadBytes = 1_000_000;
const maxTailBytes = 1_000_000;

/** The working directory in a line of a transcript. */
export const cwdOf = (line: string): string | undefined => asText(parseObject(line)?.["cwd"]);

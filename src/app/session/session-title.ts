import { firstPromptIn, titleIn } from "../../claude/transcript/session-title.ts";
import { shortenToLine } from "../../core/shorten-to-line.ts";
import { readRange, withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";

/** Claude repeats the title near the end of a transcript; the first prompt is near its beginning. */
const searchedBytes = 256 * 1024;
const maxTitleCharacters = 200;

/** The title of a conversation, else its first prompt, as one line; undefined when it has neither. */
export function readSessionTitle(transcriptPath: string): string | undefined {
  const found = withFile(transcriptPath, ({ fd, size }) => {
    const beginning = (): string => new TextDecoder().decode(readRange(fd, 0, Math.min(size, searchedBytes)));
    return titleIn(linesBackwards(fd, size, searchedBytes)) ?? firstPromptIn(beginning().split("\n"));
  });
  return found === undefined ? undefined : shortenToLine(found, maxTitleCharacters);
}

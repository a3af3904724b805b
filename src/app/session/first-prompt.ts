import { readLine } from "../../claude/transcript/conversation-entry.ts";
import { withFile } from "../../io/files/read-file.ts";
import { forEachLine } from "../../io/files/read-lines.ts";

/** A transcript may begin with much bookkeeping. */
const maxHeadBytes = 1_000_000;

/** The first words of the user in a conversation; undefined when they are not near its beginning. */
export function readFirstPrompt(transcriptPath: string): string | undefined {
  return withFile(transcriptPath, ({ fd, size }) => {
    let found: string | undefined;
    forEachLine(fd, Math.min(size, maxHeadBytes), (line) => {
      found ??= promptIn(line);
    });
    return found;
  });
}

function promptIn(line: string): string | undefined {
  const reading = readLine(line);
  if (reading.kind !== "entry" || reading.entry.speaker !== "user") return undefined;
  const [first] = reading.entry.parts;
  return first?.kind === "text" && first.text.trim() !== "" ? first.text.trim() : undefined;
}

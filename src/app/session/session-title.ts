import { firstPromptIn, titleIn, titleLines } from "../../claude/transcript/session-title.ts";
import { maskSecrets } from "../../core/mask-secrets.ts";
import { shortenToLine } from "../../core/shorten-to-line.ts";
import { readRange, withFile } from "../../io/files/read-file.ts";
import { readUnpacked } from "../../store/packing/packed-frames.ts";
import type { Generation, SessionView } from "../../store/snapshots/session-view.ts";
import { packedPath } from "../../store/snapshots/snapshot-paths.ts";

/** Claude repeats the title near the end of a transcript; the first prompt is near its beginning. */
const searchedBytes = 256 * 1024;
/** Usually enough: there may be many sessions to list. */
const firstSearchedBytes = 32 * 1024;
const maxTitleCharacters = 200;
const maxListedCharacters = 100;

type Read = (from: number, to: number) => Uint8Array;

/** The title of a conversation, else its first prompt, as one line; undefined when it has neither. */
export function readSessionTitle(transcriptPath: string): string | undefined {
  return withFile(transcriptPath, ({ fd, size }) => titleFrom((from, to) => readRange(fd, from, to), size));
}

/** The same for lists of sessions, without secrets. Claude's transcript may be gone: then our copy has the title. */
export function titleOfSession(
  transcriptPath: string | undefined,
  view: Pick<SessionView, "generations"> | undefined,
): string | undefined {
  const live = transcriptPath === undefined ? undefined : readSessionTitle(transcriptPath);
  const copy = view?.generations.findLast(({ marks }) => marks.length > 0);
  const title = live ?? (copy && titleOfCopy(copy));
  return title === undefined ? undefined : shortenToLine(maskSecrets(title), maxListedCharacters);
}

function titleOfCopy({ mirrorPath, packed, size }: Generation): string | undefined {
  if (!packed) return withFile(mirrorPath, ({ fd }) => titleFrom((from, to) => readRange(fd, from, to), size));
  return withFile(packedPath(mirrorPath), ({ fd }) =>
    titleFrom((from, to) => readUnpacked(fd, packed, from, to), size),
  );
}

function titleFrom(read: Read, size: number): string | undefined {
  const end = (bytes: number): string[] => {
    const tail = Buffer.from(read(Math.max(0, size - bytes), size));
    // Without a title, there is no need to make strings of all of it.
    return titleLines.some((line) => tail.includes(line)) ? decode(tail).split("\n").toReversed() : [];
  };
  const beginning = (bytes: number): string[] => decode(read(0, Math.min(size, bytes))).split("\n");
  const found =
    titleIn(end(firstSearchedBytes)) ??
    (size > firstSearchedBytes ? titleIn(end(searchedBytes)) : undefined) ??
    firstPromptIn(beginning(firstSearchedBytes)) ??
    (size > firstSearchedBytes ? firstPromptIn(beginning(searchedBytes)) : undefined);
  return found === undefined ? undefined : shortenToLine(found, maxTitleCharacters);
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

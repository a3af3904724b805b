import { readRange } from "./read-file.ts";

const newline = 0x0a;
const chunkBytes = 64 * 1024;

/**
 * Complete lines of [0, to), newest first; reads only as far back as needed, and at most `maxBytes`. Skips an unfinished last
 * line.
 */
export function* linesBackwards(fd: number, to: number, maxBytes = Infinity): Generator<string> {
  const decoder = new TextDecoder();
  const first = Math.max(0, to - maxBytes);
  let start = to;
  /** The chunks of a line whose beginning is further back, newest first. Joined once, so that a long line costs its length. */
  let parts: Uint8Array[] = [];
  let isUnfinished = true;
  while (start > first) {
    const from = Math.max(first, start - chunkBytes);
    const chunk = readRange(fd, from, start);
    start = from;
    let end = chunk.length;
    for (let at = chunk.lastIndexOf(newline); at >= 0; at = end > 0 ? chunk.lastIndexOf(newline, end - 1) : -1) {
      parts.push(chunk.subarray(at + 1, end));
      if (!isUnfinished) yield decoder.decode(joinBackwards(parts));
      isUnfinished = false;
      parts = [];
      end = at;
    }
    // An unfinished last line is skipped, so it is not kept.
    if (!isUnfinished) parts.push(chunk.subarray(0, end));
  }
  if (!isUnfinished && start === 0) yield decoder.decode(joinBackwards(parts));
}

const joinBackwards = (parts: Uint8Array[]): Uint8Array =>
  parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts.toReversed());

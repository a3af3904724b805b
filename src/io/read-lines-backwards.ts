import { readRange } from "./read-file.ts";

const newline = 0x0a;
const chunkSize = 64 * 1024;

/** Whole lines of [0, to), the newest first, read only as far back as they are asked for; an unfinished one is "not yet". */
export function* linesBackwards(fd: number, to: number): Generator<string> {
  const decoder = new TextDecoder();
  let start = to;
  let rest = new Uint8Array();
  let isUnfinished = true;
  while (start > 0) {
    const from = Math.max(0, start - chunkSize);
    const chunk = Buffer.concat([readRange(fd, from, start), rest]);
    start = from;
    let end = chunk.length;
    for (let at = chunk.lastIndexOf(newline); at >= 0; at = end > 0 ? chunk.lastIndexOf(newline, end - 1) : -1) {
      if (!isUnfinished) yield decoder.decode(chunk.subarray(at + 1, end));
      isUnfinished = false;
      end = at;
    }
    rest = new Uint8Array(chunk.subarray(0, end));
  }
  if (!isUnfinished) yield decoder.decode(rest);
}

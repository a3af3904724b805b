import { forEachChunk } from "./read-file.ts";

const newline = 0x0a;

/** Visits the lines of [0, to). Only LF ends a line; the text after the last LF is visited too. */
export function forEachLine(fd: number, to: number, visit: (line: string, ended: boolean) => void): void {
  const decoder = new TextDecoder();
  let begun: Uint8Array[] = [];
  const decode = (last: Uint8Array): string => {
    if (begun.length === 0) return decoder.decode(last);
    const line = Buffer.concat([...begun, last]);
    begun = [];
    return decoder.decode(line);
  };
  forEachChunk(fd, 0, to, (bytes) => {
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      visit(decode(bytes.subarray(start, end)), true);
      start = end + 1;
    }
    // The memory of the chunk is reused, so the rest must be copied.
    if (start < bytes.length) begun.push(bytes.slice(start));
  });
  if (begun.length > 0) visit(decode(new Uint8Array()), false);
}

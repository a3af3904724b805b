import { forEachChunk } from "./read-file.ts";

const newline = 0x0a;

/** Visits the lines of [0, to). A line ends with LF and nothing else; what follows the last LF is handed over too. */
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
    // The chunk's memory is used again: what is kept of it must be a copy.
    if (start < bytes.length) begun.push(bytes.slice(start));
  });
  if (begun.length > 0) visit(decode(new Uint8Array()), false);
}
